/**
 * The demo's past: 90 days of hits, visits, orders and deliveries, written once before the first start. Hits go into the warehouse as the
 * shipper sends them; everything else goes through the rooms themselves, with a clock that runs through the days. All of it follows from a
 * seed, and ends now.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
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
import { DAY_MS, type Day, daysUntil, looksOf } from './days.ts';
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
  print(`Writing ${days.length} days of a made-up past, once:`);
  const time = createTime(now);
  const loader = await createLoader(
    // A token of its own: the one that is shown is made by the start that people see.
    { ...config, dataDir: staging, logLevel: 'warn', adminToken: randomBytes(32).toString('hex') },
    time.clock,
  );
  let hits = 0;
  try {
    const whose = await time.at(days[0]?.start ?? now, () => openProperty(loader));
    if (whose !== null) {
      const past: Past = { loader, whose, days, now, at: time.at, print };
      // Two at a time: hits keep the engine busy, what people do the state database.
      const shopping = shoppingOf(days, now, createChance(SEED));
      [hits] = await Promise.all([writeHits(past), writeVisits(past, shopping.visits)]);
      await Promise.all([call(loader, 'POST', '/rollup', {}), writeOrders(past, shopping.orders)]);
    }
  } finally {
    await loader.stop();
  }
  const told = { days: days.length, until: new Date(now).toISOString(), hits };
  await writeFile(join(staging, HISTORY_FILE), `${JSON.stringify(told)}\n`);
  await rename(staging, config.dataDir);
  print(`  all of it in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

interface Past {
  readonly loader: Loader;
  readonly whose: Whose;
  readonly days: readonly Day[];
  readonly now: number;
  readonly at: Time['at'];
  readonly print: (line: string) => void;
}

interface Time {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Runs something at a moment, whatever runs at another one meanwhile. */
  at<T>(moment: number, run: () => Promise<T>): Promise<T>;
}

/** @param now of what runs at no moment of its own */
function createTime(now: number): Time {
  const moments = new AsyncLocalStorage<number>();
  return {
    clock: () => moments.getStore() ?? now,
    at: (moment, run) => moments.run(moment, run),
  };
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

async function writeHits({ loader, whose, days, now, at, print }: Past): Promise<number> {
  const lists = compileLists(embeddedLists());
  const writer = createHitWriter(loader, whose, lists, at);
  const versions = { shop: LATEST_COLLECTOR, journal: STALE_COLLECTOR };
  for (const day of days) {
    const looks = looksOf(day).filter((look) => look < now);
    const lookAround = async (look: number): Promise<void> => {
      await writer.flush();
      await at(look, () => loader.look());
    };
    // A chance of each day's own: a longer past has the same last week.
    for (const hit of hitsOfDay(day, lists, versions, createChance(SEED + day.ago))) {
      while (looks[0] !== undefined && looks[0] <= hit.at) await lookAround(looks.shift() ?? now);
      if (hit.at < now) await writer.add(hit);
    }
    for (const look of looks) await lookAround(look);
    if ((day.index + 1) % REPORTED_EVERY === 0) print(`  hits of ${day.index + 1} days`);
  }
  await writer.flush();
  print(`  ${writer.written().toLocaleString('en-US')} hits`);
  return writer.written();
}

async function writeVisits(
  { loader, whose, days, now, at, print }: Past,
  visits: readonly ShopVisit[],
): Promise<void> {
  for (const day of days)
    await at(endOf(day, now), () =>
      Promise.all(visits.filter(of(day)).map((visit) => tell(loader, whose.attributionId, visit))),
    );
  await untilRecorded(loader);
  print(`  ${visits.length.toLocaleString('en-US')} visits of people`);
}

async function writeOrders(
  { loader, whose: { attributionId }, days, now, at, print }: Past,
  orders: readonly Order[],
): Promise<void> {
  const path = `/properties/${attributionId}`;
  const key = await at(days[0]?.start ?? now, async () => {
    await call(loader, 'PUT', `${path}/webhooks`, { enabled: true });
    const issued = await call(loader, 'POST', `${path}/webhook-keys`, { name: 'Demo orders' });
    return (issued as { key: string }).key;
  });
  for (const day of days) {
    if (day.ago === CONNECTED_AGO || (day.index === 0 && days.length <= CONNECTED_AGO))
      await at(day.start, () => connect(loader, path));
    if (day.ago === PAUSED_AGO) await at(day.start, () => pause(loader, path));
    for (const order of orders.filter(of(day)))
      await at(order.at, () => post(loader, attributionId, key, order));
    if (day.ago <= CONNECTED_AGO) await at(endOf(day, now), () => loader.deliver());
  }
  print(`  ${orders.length.toLocaleString('en-US')} orders, forwarded to platforms that the demo pretends`);
}

async function connect(loader: Loader, path: string): Promise<void> {
  for (const destination of [...DESTINATIONS, PAUSED])
    await call(loader, 'POST', `${path}/destinations`, destination);
}

const endOf = ({ start }: Day, now: number): number => Math.min(start + DAY_MS - 1, now);

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
