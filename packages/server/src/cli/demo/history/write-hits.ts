/** The hits of the past, and the looks of somebody who watches over them. */
import { compileLists, embeddedLists } from '@ghostlight/core';
import { LATEST_COLLECTOR } from '../../../reports/index.ts';
import { createChance } from './chance.ts';
import { looksOf } from './days.ts';
import { type Past, SEED } from './past.ts';
import { createHitWriter } from './rows.ts';
import { hitsOfDay } from './traffic.ts';

/** Its journal's collector, which nobody has updated. */
const STALE_COLLECTOR = '0.4.1';
/** Days after which a line says so. */
const REPORTED_EVERY = 30;

/** @returns how many */
export async function writeHits({ loader, whose, days, now, at, print }: Past): Promise<number> {
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
