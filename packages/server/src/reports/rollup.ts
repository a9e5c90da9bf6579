/**
 * The nightly run: closed days are counted into daily rows. Every day that has grown since the last run is counted again, whole, and
 * replaced in one step; so a run that is repeated, or made up for after a downtime, changes nothing.
 */
import { type Clock, type Log, ServiceError } from '../kit/index.ts';
import {
  countDay,
  countInto,
  DAY_MS,
  dateOf,
  daysToCount,
  mergeParts,
  removeRuns,
  type Warehouse,
} from '../warehouse/index.ts';
import { dayAt, dayOf } from './days.ts';
import type { CountedDay, Ledger } from './ledger.ts';

/** What was stored shortly before the last run began is looked at again: nodes' clocks differ, and an insert is stamped when it begins. */
export const STORED_OVERLAP_MS = 15 * 60_000;
/** Readers that have planned with a run still read it: far longer than any report may take. */
const LEFT_FOR_READERS_MS = 3_600_000;
/** A day about to leave raw retention may lose hits while it is counted. */
const RETENTION_MARGIN_MS = 3_600_000;
/** Properties that one statement counts. */
const PROPERTIES_AT_ONCE = 50;
const MAX_CLEANINGS = 20;
/** After this long no further month is begun. */
const MERGING_MS = 120_000;

export type SkipReason = 'open' | 'older_than_retention' | 'no_hits';

export interface RollupReport {
  readonly days: { readonly day: string; readonly properties: number; readonly hits: number }[];
  readonly skipped: { readonly day: string; readonly reason: SkipReason }[];
  /** false: another node is at it. */
  readonly ran: boolean;
}

export interface RollupDeps {
  readonly warehouse: Warehouse;
  readonly ledger: Ledger;
  /** Days that raw hits are kept. */
  readonly retentionDays: number;
  readonly withLock: (name: string, run: () => Promise<void>) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Rollup {
  /** @param date one day, counted again whether it has grown or not; absent: every day that has grown @throws ServiceError `invalid` for what is no day */
  run(date?: string): Promise<RollupReport>;
}

export function createRollup({ warehouse, ledger, retentionDays, withLock, clock, log }: RollupDeps): Rollup {
  /** Days that may be counted: all of their hits are there, and no more will come in the ordinary way. */
  const refusal = (day: number, now: number): SkipReason | null => {
    if (day >= dayAt(now)) return 'open';
    return day * DAY_MS < now - retentionDays * DAY_MS + RETENTION_MARGIN_MS ? 'older_than_retention' : null;
  };

  /** @param force count again what has not grown */
  const countDayOf = async (
    organizationId: string,
    attributionIds: readonly string[],
    { day, force, nextRun }: { day: number; force: boolean; nextRun: () => number },
  ): Promise<{ properties: number; hits: number }> => {
    const standing = await ledger.countedOn(organizationId, day);
    let [properties, hits] = [0, 0];
    for (let from = 0; from < attributionIds.length; from += PROPERTIES_AT_ONCE) {
      const ids = attributionIds.slice(from, from + PROPERTIES_AT_ONCE);
      // Counted before the rows are: what arrives in between makes the day look grown, and it is counted again.
      const raw = await countDay(warehouse, organizationId, ids, day);
      const due = ids
        .map((attributionId) => ({ attributionId, organizationId, day, hits: raw.get(attributionId) ?? 0 }))
        .filter((one) => isDue(standing.get(one.attributionId), one.hits, force));
      if (due.length === 0) continue;
      const run = nextRun();
      await ledger.begin(run, due);
      const dueIds = due.map(({ attributionId }) => attributionId);
      await countInto(warehouse, run, organizationId, dueIds, day);
      await ledger.publish(run, due);
      properties += due.length;
      hits += due.reduce((sum, one) => sum + one.hits, 0);
    }
    return { properties, hits };
  };

  const clean = async (): Promise<void> => {
    for (let turn = 0; turn < MAX_CLEANINGS; turn += 1) {
      const leftovers = await ledger.leftovers(clock() - LEFT_FOR_READERS_MS);
      if (leftovers.length === 0) return;
      await removeRuns(warehouse, leftovers);
      await ledger.forget(leftovers);
    }
  };

  /** Makes reports faster and none of them different: what can't be merged tonight is tomorrow. */
  const merge = async (): Promise<void> => {
    try {
      await mergeParts(warehouse, clock() + MERGING_MS);
    } catch (error) {
      log.warn({ err: error }, 'daily rows could not be merged; reports read more parts until the next run');
    }
  };

  const perform = async (date: string | undefined): Promise<Omit<RollupReport, 'ran'>> => {
    const began = clock();
    let last = await ledger.lastRun();
    const nextRun = (): number => {
      last = Math.max(clock(), last + 1);
      return last;
    };
    const days: RollupReport['days'] = [];
    const skipped: RollupReport['skipped'] = [];
    for (const [day, organizations] of await dueDays(date, began)) {
      const reason = refusal(day, began);
      if (reason !== null) {
        // The day that runs is no news, except to whoever asked for it by name.
        if (date !== undefined || reason !== 'open') skipped.push({ day: dateOf(day), reason });
        continue;
      }
      let [properties, hits] = [0, 0];
      for (const [organizationId, ids] of organizations) {
        const done = await countDayOf(organizationId, ids, { day, force: date !== undefined, nextRun });
        properties += done.properties;
        hits += done.hits;
      }
      if (properties > 0) days.push({ day: dateOf(day), properties, hits });
      else if (date !== undefined) skipped.push({ day: date, reason: 'no_hits' });
    }
    if (date === undefined) await ledger.setCountedUntil(began);
    await clean();
    if (date === undefined) await merge();
    // Whoever names a day is answered with the same; a past that is caught up with day by day would fill the log.
    const told = { days: days.length, skipped: skipped.length, ms: clock() - began };
    log[date === undefined ? 'info' : 'debug'](told, 'closed days were counted');
    return { days, skipped };
  };

  /** Day → organization → properties. */
  const dueDays = async (
    date: string | undefined,
    now: number,
  ): Promise<Map<number, Map<string, string[]>>> => {
    const until = await ledger.countedUntil();
    const since = until === null ? 0 : until - STORED_OVERLAP_MS;
    const days =
      date === undefined
        ? await daysToCount(warehouse, { since, openFrom: dayAt(since), before: dayAt(now) })
        : await daysToCount(warehouse, { since: null, openFrom: dayOf(date), before: dayOf(date) + 1 });
    const byDay = new Map<number, Map<string, string[]>>(
      date === undefined ? [] : [[dayOf(date), new Map()]],
    );
    for (const { day, organizationId, attributionId } of days) {
      const organizations = byDay.get(day) ?? new Map<string, string[]>();
      byDay.set(day, organizations);
      const ids = organizations.get(organizationId);
      if (ids === undefined) organizations.set(organizationId, [attributionId]);
      else ids.push(attributionId);
    }
    return byDay;
  };

  return {
    async run(date) {
      if (date !== undefined && Number.isNaN(dayOf(date)))
        throw new ServiceError('invalid', 'The date is no day; write it as 2026-11-20.', {
          errors: [{ pointer: '/date', message: 'Give a day as YYYY-MM-DD.' }],
        });
      let report: Omit<RollupReport, 'ran'> = { days: [], skipped: [] };
      const ran = await withLock('reports:rollup', async () => {
        report = await perform(date);
      });
      return { ...report, ran };
    },
  };
}

/** Fewer hits than were counted once are what retention has left of a day: its rows are worth more. */
function isDue(standing: CountedDay | undefined, hits: number, force: boolean): boolean {
  if (hits === 0) return false;
  if (standing === undefined) return true;
  return force ? hits >= standing.hits : hits > standing.hits;
}
