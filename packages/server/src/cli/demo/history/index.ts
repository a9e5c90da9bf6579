/**
 * The demo's past: 90 days of hits, visits, orders, deliveries and alerts, written once before the first start. Hits go into the warehouse
 * as the shipper sends them, classified and made into rows by the code of ingest; everything else goes through the rooms themselves, with a clock
 * that runs through the days. All of it follows from a seed, and ends now.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '@ghostlight/core/time';
import type { Config } from '../../../config.ts';
import { createLoader, type Loader } from '../../../service.ts';
import { PROPERTY } from '../account.ts';
import { call } from '../management.ts';
import { createChance } from './chance.ts';
import { createDatedLists } from './dated-lists.ts';
import { daysUntil } from './days.ts';
import { looksOf } from './looks.ts';
import { createTime, type Past, SEED, type Told } from './past.ts';
import type { Whose } from './rows.ts';
import { shoppingOf } from './shopping.ts';
import { hitsOfPast, writeHits } from './write-hits.ts';
import { openOrderBook, writeVisits } from './write-shopping.ts';

/** Written last: what was made, and up to when. */
const HISTORY_FILE = 'demo-history.json';
export const DAYS = 90;

export interface HistoryOptions {
  /** Of the demo; its data directory must not be there yet. */
  readonly config: Config;
  readonly told: Told;
  /** Where the past ends; epoch milliseconds. */
  readonly now: number;
}

/** Days of the past that a start would write. */
export const daysOfHistory = ({ retentionDays }: Pick<Config, 'retentionDays'>): number =>
  // No more than raw hits are kept.
  Math.max(1, Math.min(DAYS, retentionDays - 1));

/** Whether the data directory was begun by this code; one that is older has no past. */
export const hasHistory = (dataDir: string): boolean => existsSync(join(dataDir, HISTORY_FILE));

/**
 * Fills a directory beside the demo's and then makes it the demo's: a start that was broken off leaves nothing behind that the next one
 * would take for whole. So nothing has to be on disk before that moment, and the state database does not wait for it.
 * @throws whatever the service refuses
 */
export async function writeHistory({ config, told, now }: HistoryOptions): Promise<void> {
  const staging = `${config.dataDir}.loading`;
  await rm(staging, { recursive: true, force: true });
  const days = daysUntil(now, daysOfHistory(config));
  const time = createTime(now);
  const loader = await createLoader(
    // A token of its own: the one that is shown is made by the start that people see.
    { ...config, dataDir: staging, logLevel: 'error', adminToken: randomBytes(32).toString('hex') },
    time.clock,
  );
  let hits = 0;
  try {
    const whose = await time.at(days[0]?.start ?? now, () => openProperty(loader));
    if (whose !== null) hits = await fill({ loader, whose, days, now, at: time.at, told });
  } finally {
    await loader.stop();
  }
  const made = { days: days.length, until: new Date(now).toISOString(), hits };
  await writeFile(join(staging, HISTORY_FILE), `${JSON.stringify(made)}\n`);
  await rename(staging, config.dataDir);
}

/** How the time is spent, as shares: what is written side by side counts by what takes longer. */
const HITS_TAKE = 0.65;

/** @returns how many hits */
async function fill(past: Past): Promise<number> {
  const { loader, days, now, at, told } = past;
  const shopping = shoppingOf(days, now, createChance(SEED));
  const written = { hits: 0, visits: 0 };
  const beside = (what: keyof typeof written) => (count: number) => {
    written[what] = count;
    const least = Math.min(written.hits, written.visits);
    told((HITS_TAKE * least) / days.length, `${least} of ${days.length} days of visits`);
  };
  // Side by side: hits keep the engine busy, what people do the state database.
  const [hits, orders] = await Promise.all([
    writeHits(past, beside('hits')),
    writeVisits(past, shopping.visits, beside('visits')).then(() => openOrderBook(past, shopping.orders)),
  ]);
  // In the order of time: alerts tell of hits and deliveries, of each as it was at the time.
  const listsAt = createDatedLists();
  for (const day of days) {
    const looks = looksOf(day, () => hitsOfPast(day, listsAt(day.start)));
    for (const look of looks.filter((its) => its < now)) {
      await orders.until(look);
      await at(look, () => loader.look());
    }
    await orders.until(Math.min(day.start + DAY_MS, now));
    const share = HITS_TAKE + ((1 - HITS_TAKE) * (day.index + 1)) / days.length;
    told(share, `${day.index + 1} of ${days.length} days of orders and alerts`);
  }
  // The dashboard would say until the first look of the running service that alerts are not looked at.
  await at(now, () => loader.look());
  return hits;
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
