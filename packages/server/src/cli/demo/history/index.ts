/**
 * The demo's past: 90 days of hits, visits, orders and deliveries, written once before the first start. Hits go into the warehouse as the
 * shipper sends them; everything else goes through the rooms themselves, with a clock that runs through the days. All of it follows from a
 * seed, and ends now.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import { createLoader, type Loader } from '../../../service.ts';
import { PROPERTY } from '../account.ts';
import { call } from '../management.ts';
import { createChance } from './chance.ts';
import { daysUntil } from './days.ts';
import { createTime, type Past, SEED } from './past.ts';
import type { Whose } from './rows.ts';
import { shoppingOf } from './shopping.ts';
import { writeHits } from './write-hits.ts';
import { writeOrders, writeVisits } from './write-shopping.ts';

/** Written last: what was made, and up to when. */
const HISTORY_FILE = 'demo-history.json';
const DAYS = 90;

export interface HistoryOptions {
  /** Of the demo; its data directory must not be there yet. */
  readonly config: Config;
  /** Says how far it is. */
  readonly print: (line: string) => void;
  /** Where the past ends; epoch milliseconds. */
  readonly now: number;
}

/**
 * Fills a directory beside the demo's and then makes it the demo's: a start that was broken off leaves nothing behind that the next one
 * would take for whole.
 * @throws whatever the service refuses
 */
export async function writeHistory({ config, print, now }: HistoryOptions): Promise<void> {
  if (existsSync(config.dataDir)) {
    if (!existsSync(join(config.dataDir, HISTORY_FILE)))
      print(`The demo of ${config.dataDir} has no past: remove that directory for 90 days of it.`);
    return;
  }
  const began = performance.now();
  const staging = `${config.dataDir}.loading`;
  await rm(staging, { recursive: true, force: true });
  // No more than raw hits are kept.
  const days = daysUntil(now, Math.max(1, Math.min(DAYS, config.retentionDays - 1)));
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
