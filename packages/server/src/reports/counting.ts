/** One closed day of some properties, counted into daily rows: by the nightly run, by name, or since a time zone was changed. */
import { type Clock, sum } from '../common/index.ts';
import {
  countAgain,
  countDay,
  countInto,
  type DaySpan,
  type PropertyDay,
  runIsWhole,
  type Warehouse,
} from '../warehouse/index.ts';
import { type CountedDay, isOfDay, type Ledger } from './ledger.ts';
import type { Zones } from './zones.ts';

/** Properties that one statement counts. */
const PROPERTIES_AT_ONCE = 50;

export interface Counting {
  /**
   * @param attributionIds properties of one organization whose day lies between the same moments
   * @param force count again what has not grown
   * @returns `short`: properties whose rows are not on every replica yet; they are read of what they were before, and counted again later
   */
  count(
    organizationId: string,
    attributionIds: readonly string[],
    span: DaySpan,
    force: boolean,
  ): Promise<{ readonly properties: number; readonly hits: number; readonly short: number }>;
  /**
   * Adds up days that were counted once more, from the rows of their own runs, by the rule of files as it is now.
   * @param attributionIds properties of one organization, of which the day is read of that run
   * @returns false: rows are not on every replica yet, and the day is read of what it was before
   */
  again(
    organizationId: string,
    attributionIds: readonly string[],
    day: number,
    standing: CountedDay,
  ): Promise<boolean>;
}

export interface CountingDeps {
  readonly warehouse: Warehouse;
  readonly ledger: Ledger;
  readonly zones: Zones;
  readonly clock: Clock;
}

/** @param remainder of a run's number by 2: what counts beside others gives out other numbers than they */
export function createCounting(
  { warehouse, ledger, zones, clock }: CountingDeps,
  remainder: 0 | 1,
): { begin(): Promise<Counting> } {
  return {
    async begin() {
      let last = await ledger.lastRun();
      const nextRun = (): number => {
        const next = Math.max(clock(), last + 1);
        last = next % 2 === remainder ? next : next + 1;
        return last;
      };
      return {
        async count(organizationId, attributionIds, span, force) {
          const { day } = span;
          const standing = await ledger.countedOn(organizationId, day);
          let [properties, hits, short] = [0, 0, 0];
          for (let from = 0; from < attributionIds.length; from += PROPERTIES_AT_ONCE) {
            const ids = attributionIds.slice(from, from + PROPERTIES_AT_ONCE);
            // Counted before the rows are: what arrives in between makes the day look grown, and it is counted again.
            const raw = await countDay(warehouse, organizationId, ids, span);
            const due = ids
              .map((attributionId) => ({
                attributionId,
                organizationId,
                day,
                hits: raw.get(attributionId) ?? 0,
              }))
              .filter((one) => isDue(standing.get(one.attributionId), span, one.hits, force));
            if (due.length === 0) continue;
            const run = nextRun();
            await ledger.begin(run, due);
            const dueIds = due.map(({ attributionId }) => attributionId);
            await countInto(warehouse, run, organizationId, dueIds, span);
            // What is published is read from now on, and short of a lagging replica's hits it would stay so.
            if (!(await runIsWhole(warehouse, run, due))) {
              short += due.length;
              continue;
            }
            const same = await stillOf(due, span);
            await ledger.publish(run, span, same);
            properties += same.length;
            hits += sum(same, (one) => one.hits);
          }
          return { properties, hits, short };
        },
        async again(organizationId, attributionIds, day, standing) {
          let isWhole = true;
          for (let from = 0; from < attributionIds.length; from += PROPERTIES_AT_ONCE) {
            const ids = attributionIds.slice(from, from + PROPERTIES_AT_ONCE);
            const counted = await ledger.countedOn(organizationId, day);
            const due = ids
              .map((attributionId) => ({
                attributionId,
                organizationId,
                day,
                standing: counted.get(attributionId),
              }))
              .flatMap(({ standing: now, ...one }) =>
                now?.run === standing.run ? [{ ...one, hits: now.hits }] : [],
              );
            if (due.length === 0) continue;
            const run = nextRun();
            await ledger.begin(run, due);
            const dueIds = due.map(({ attributionId }) => attributionId);
            await countAgain(warehouse, { of: standing.run, run }, organizationId, dueIds, day);
            if (await runIsWhole(warehouse, run, due)) await ledger.publish(run, { ...standing, day }, due);
            else isWhole = false;
          }
          return isWhole;
        },
      };
    },
  };

  /** Those whose zone was not changed meanwhile: what was counted of the others is of a day that is no more. */
  async function stillOf<T extends PropertyDay>(due: readonly T[], span: DaySpan): Promise<T[]> {
    const daysOf = await zones.of(due.map(({ attributionId }) => attributionId));
    return due.filter(({ attributionId, day }) => {
      const { startOf } = daysOf(attributionId);
      return startOf(day) === span.from && startOf(day + 1) === span.to;
    });
  }
}

/** Fewer hits than were counted once are what retention has left of a day: its rows are worth more. */
function isDue(standing: CountedDay | undefined, span: DaySpan, hits: number, force: boolean): boolean {
  if (standing === undefined) return hits > 0;
  // Of another zone: the day of today has other hits, or none at all.
  if (!isOfDay(standing, span)) return true;
  if (hits === 0) return false;
  return force ? hits >= standing.hits : hits > standing.hits;
}
