/**
 * Days that one statement counts. A statement of the engine costs its twenty milliseconds however few rows it reads, so days with few hits
 * are counted together. Days with many are alone: they need memory, and reports have them as soon as each is done.
 */
import type { Log } from '../common/index.ts';
import { exceptionCode } from '../warehouse/index.ts';

/** Fewer than the hundred partitions that one INSERT may write, even if each day were of another month. */
export const DAYS_AT_ONCE = 90;
/** Of all days and properties: about a second and a half of processor time for all tables. */
export const HITS_AT_ONCE = 100_000;
/** Properties that one statement counts. */
export const PROPERTIES_AT_ONCE = 50;

/** @param days in the order in which they are counted */
export function inBatches<Day extends { readonly hits: number }>(days: readonly Day[]): Day[][] {
  const batches: Day[][] = [];
  let hits = 0;
  for (const day of days) {
    const last = batches.at(-1);
    if (last !== undefined && last.length < DAYS_AT_ONCE && hits + day.hits <= HITS_AT_ONCE) {
      last.push(day);
      hits += day.hits;
    } else {
      batches.push([day]);
      hits = day.hits;
    }
  }
  return batches;
}

/**
 * Counts a batch; where the engine refuses it, for want of memory or time, each of its days.
 * @throws whatever one day alone is refused with, and what is no answer of the engine
 */
export async function orEachAlone<Day>(
  batch: readonly Day[],
  count: (days: readonly Day[]) => Promise<void>,
  log: Log,
): Promise<void> {
  try {
    await count(batch);
  } catch (error) {
    if (batch.length < 2 || exceptionCode(error) === null) throw error;
    log.warn({ err: error, days: batch.length }, 'days could not be counted together; each is counted alone');
    for (const day of batch) await count([day]);
  }
}
