/**
 * The demo's past: 90 days of hits, visits, orders and deliveries, written once before the first start. Hits go into the warehouse as the
 * shipper sends them; everything else goes through the rooms themselves, with a clock that runs through the days. All of it follows from a
 * seed, and ends now.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileLists, embeddedLists } from '@ghostlight/core';
import type { Config } from '../../../config.ts';
import { LATEST_COLLECTOR } from '../../../reports/index.ts';
import { createLoader, type Loader } from '../../../service.ts';
import { PROPERTY } from '../account.ts';
import { ask, call } from '../management.ts';
import { createChance } from './chance.ts';
import { DAY_MS, type Day, daysUntil } from './days.ts';
import { CONNECTED_AGO, DESTINATIONS, PAUSED, PAUSED_AGO } from './platforms.ts';
import { createHitWriter, type Whose } from './rows.ts';
import { type Order, type ShopVisit, shoppingOf } from './shopping.ts';
import { hitsOfDay } from './traffic.ts';

/** Written last. */
export const HISTORY_FILE = 'demo-history.json';
const DAYS = 90;
const SEED = 20_261_121;
/** Its journal's collector, which nobody has updated. */
const STALE_COLLECTOR = '0.4.1';
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36';
/** Events are recorded within milliseconds; a machine that is short of breath may take longer. */
const RECORDED_WITHIN_MS = 60_000;
/** Requests of one day at a time. */
const RECORD_LOOK_MS = 50;
const REPORTED_EVERY = 30;

export interface HistoryOptions {
  /** Of the demo; its data directory must not be there yet. */
  readonly config: Config;
  /** Says how far it is. */
  readonly print: (line: string) => void;
  /** Where the past ends; epoch milliseconds. */
  readonly now: number;
  /** Default 90; no more than raw hits are kept. */
  readonly days?: number;
}

/**
 * Fills a directory beside the demo's and then makes it the demo's: a start that was broken off leaves nothing behind that the next one
 * would take for whole.
 * @throws whatever the service refuses
 */
export async function writeHistory({ config, print, now, days: most = DAYS }: HistoryOptions): Promise<void> {
  if (existsSync(config.dataDir)) {
    if (!existsSync(join(config.dataDir, HISTORY_FILE)))
      print(`The demo of ${config.dataDir} has no past: remove that directory for 90 days of it.`);
    return;
  }
  const began = performance.now();
  const staging = `${config.dataDir}.loading`;
  await rm(staging, { recursive: true, force: true });
  const days = daysUntil(now, Math.max(1, Math.min(most, config.retentionDays - 1)));
  const [first] = days;
  print(`Writing ${days.length} days of a made-up past, once:`);
  const time = { now: first?.start ?? now };
  const loader = await createLoader(
    // A token of its own: the one that is shown is made by the start that people see.
    { ...config, dataDir: staging, logLevel: 'warn', adminToken: randomBytes(32).toString('hex') },
    () => time.now,
  );
  let hits = 0;
  try {
    const whose = await openProperty(loader);
    if (whose !== null) {
      const [written] = await Promise.all([
        writeHits(loader, whose, days, now, print),
        writeShopping(loader, whose, { days, now, time, print }),
      ]);
      hits = written;
      time.now = now;
      await call(loader, 'POST', '/rollup', {});
    }
  } finally {
    await loader.stop();
  }
  const told = { days: days.length, until: new Date(now).toISOString(), hits };
  await writeFile(join(staging, HISTORY_FILE), `${JSON.stringify(told)}\n`);
  await rename(staging, config.dataDir);
  print(`  all of it in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

/** @returns null where stores outside of the data directory know it already */
async function openProperty(loader: Loader): Promise<Whose | null> {
  const { items } = (await call(loader, 'GET', '/properties')) as { items: { name: string }[] };
  if (items.some(({ name }) => name === PROPERTY.name)) return null;
  const { id, organization_id: organizationId } = (await call(loader, 'POST', '/properties', PROPERTY)) as {
    id: string;
    organization_id: string;
  };
  return { attributionId: id, organizationId };
}

async function writeHits(
  loader: Loader,
  whose: Whose,
  days: readonly Day[],
  now: number,
  print: (line: string) => void,
): Promise<number> {
  const lists = compileLists(embeddedLists());
  const writer = createHitWriter(loader, whose, lists);
  const versions = { shop: LATEST_COLLECTOR, journal: STALE_COLLECTOR };
  for (const day of days) {
    // A chance of each day's own: a longer past has the same last week.
    const hits = hitsOfDay(day, lists, versions, createChance(SEED + day.ago));
    for (const hit of hits) if (hit.at < now) await writer.add(hit);
    if ((day.index + 1) % REPORTED_EVERY === 0) print(`  hits of ${day.index + 1} days`);
  }
  const written = await writer.end();
  print(`  ${written.toLocaleString('en-US')} hits`);
  return written;
}

interface Shop {
  readonly days: readonly Day[];
  readonly now: number;
  /** The loader's clock, to be set. */
  readonly time: { now: number };
  readonly print: (line: string) => void;
}

async function writeShopping(loader: Loader, { attributionId }: Whose, shop: Shop): Promise<void> {
  const { days, now, time, print } = shop;
  const { visits, orders } = shoppingOf(days, now, createChance(SEED));
  const path = `/properties/${attributionId}`;
  await call(loader, 'PUT', `${path}/webhooks`, { enabled: true });
  const { key } = (await call(loader, 'POST', `${path}/webhook-keys`, { name: 'Demo orders' })) as {
    key: string;
  };
  for (const day of days) {
    time.now = Math.min(day.start + DAY_MS - 1, now);
    await Promise.all(visits.filter(of(day)).map((visit) => tell(loader, attributionId, visit)));
  }
  await untilRecorded(loader);
  print(`  ${visits.length.toLocaleString('en-US')} visits of people`);
  for (const day of days) {
    if (day.ago === CONNECTED_AGO || (day.index === 0 && days.length <= CONNECTED_AGO)) {
      time.now = day.start;
      for (const destination of [...DESTINATIONS, PAUSED])
        await call(loader, 'POST', `${path}/destinations`, destination);
    }
    if (day.ago === PAUSED_AGO) await pause(loader, path);
    for (const order of orders.filter(of(day))) {
      time.now = order.at;
      await post(loader, attributionId, key, order);
    }
    if (day.ago > CONNECTED_AGO) continue;
    time.now = Math.min(day.start + DAY_MS - 1, now);
    await loader.deliver();
  }
  print(`  ${orders.length.toLocaleString('en-US')} orders, forwarded to platforms that the demo pretends`);
}

const of =
  ({ start }: Day) =>
  ({ at }: { readonly at: number }): boolean =>
    at >= start && at < start + DAY_MS;

async function tell(loader: Loader, attributionId: string, { events }: ShopVisit): Promise<void> {
  await ask(loader, '/api/events', {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', 'User-Agent': BROWSER },
    body: JSON.stringify(events.map((event) => ({ ...event, attribution_id: attributionId }))),
  });
}

/** A conversion asks for the visits that are recorded. */
async function untilRecorded(loader: Loader): Promise<void> {
  const deadline = performance.now() + RECORDED_WITHIN_MS;
  for (;;) {
    const { pending_events: pending } = (await call(loader, 'GET', '/spool')) as { pending_events: number };
    if (pending === 0) return;
    if (performance.now() > deadline) throw new Error('the visits were not recorded');
    await new Promise((resolve) => setTimeout(resolve, RECORD_LOOK_MS));
  }
}

async function post(
  loader: Loader,
  attributionId: string,
  key: string,
  { topic, body }: Order,
): Promise<void> {
  await ask(loader, `/webhooks/custom/${attributionId}/${topic}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function pause(loader: Loader, path: string): Promise<void> {
  const { items } = (await call(loader, 'GET', `${path}/destinations`)) as {
    items: { id: string; name: string }[];
  };
  const found = items.find(({ name }) => name === PAUSED.name);
  if (found !== undefined) await call(loader, 'PATCH', `${path}/destinations/${found.id}`, { paused: true });
}
