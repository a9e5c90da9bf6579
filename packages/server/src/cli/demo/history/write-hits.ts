/** The hits of the past into the warehouse, and the first evaluation of alerts. */

import type { CompiledLists, ObservedHit } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { LATEST_COLLECTOR } from '../../../reports/index.ts';
import { createDatedLists } from './dated-lists.ts';
import type { Day } from './days.ts';
import { LEARNT_INDEX } from './incidents.ts';
import { chanceOf, type Past } from './past.ts';
import { createHitWriter } from './rows.ts';
import { hitsOfDay } from './traffic.ts';

/** The journal's collector was never updated. */
export const VERSIONS = { shop: LATEST_COLLECTOR, journal: '0.4.1' };

/** What came on a day of the past: the same whenever it is asked. @param lists of the day */
export const hitsOfPast = (day: Day, lists: CompiledLists): readonly ObservedHit[] =>
  hitsOfDay(day, lists, VERSIONS, chanceOf(day));

/** @param written called after each day with the number of days  @returns how many hits */
export async function writeHits(
  { loader, whose, days, now, at }: Past,
  written: (days: number) => void,
): Promise<number> {
  const listsAt = createDatedLists();
  const writer = createHitWriter(loader, whose, listsAt, at);
  for (const day of days) {
    for (const hit of hitsOfPast(day, listsAt(day.start))) if (hit.at < now) await writer.add(hit);
    if (day.index === LEARNT_INDEX) {
      await writer.flush();
      await at(Math.min(day.start + DAY_MS - 1, now), () => loader.look());
    }
    written(day.index + 1);
  }
  await writer.flush();
  return writer.written();
}
