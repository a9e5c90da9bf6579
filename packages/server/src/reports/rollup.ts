/**
 * The nightly run: closed days are counted into daily rows, each by its property's own time zone. Every day that has grown since the last
 * run is counted again, whole, and replaced in one step; so a run that is repeated, or made up for after a downtime, changes nothing.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import {
  type Clock,
  type Days,
  dateOf,
  dayOf,
  daysIn,
  type Log,
  ServiceError,
  sum,
  UTC,
} from '../common/index.ts';
import {
  type DaySpan,
  type Grown,
  grownHits,
  mergeParts,
  removeRuns,
  type Warehouse,
} from '../warehouse/index.ts';
import { createCounting, type ToCount } from './counting.ts';
import type { Firsts } from './firsts.ts';
import { isOfDay, type Ledger, type NewlyCounted } from './ledger.ts';
import { spanOf, type Zones } from './zones.ts';

/** What was stored shortly before the last run began is looked at again: nodes' clocks differ, and an insert is stamped when it begins. */
export const STORED_OVERLAP_MS = 15 * MINUTE_MS;
/** On replicas what one did not show yet is found by the run after: each night looks at two days of arrivals. */
const REPLICAS_OVERLAP_MS = 2 * DAY_MS;
/** Readers that have planned with a run still read it: far longer than any report may take. */
const LEFT_FOR_READERS_MS = HOUR_MS;
/** A day about to leave raw retention may lose hits while it is counted. */
const RETENTION_MARGIN_MS = HOUR_MS;
/** Wherever a day is, it lies within a day of the same day in UTC, and no day is longer than this. */
const LONGEST_DAY_MS = 2 * DAY_MS;
const MAX_CLEANINGS = 20;
/** After this long no further month is begun. */
const MERGING_MS = 120_000;

export type SkipReason = 'open' | 'older_than_retention' | 'no_hits';

export interface RollupReport {
  /** Of each property's own time zone. */
  readonly days: { readonly day: string; readonly properties: number; readonly hits: number }[];
  readonly skipped: { readonly day: string; readonly reason: SkipReason }[];
  /** false: another node is at it. */
  readonly ran: boolean;
}

export interface RollupDeps {
  readonly warehouse: Warehouse;
  readonly ledger: Ledger;
  readonly zones: Zones;
  readonly firsts: Pick<Firsts, 'learn'>;
  /** Days that raw hits are kept. */
  readonly retentionDays: number;
  readonly withLock: (name: string, run: () => Promise<void>) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Rollup {
  /**
   * @param date one day of every property, counted again whether it has grown or not; absent: every day that has grown
   * @param signal ends the run between two statements; the next run counts what is left
   * @throws ServiceError `invalid` for what is no day
   */
  run(date?: string, signal?: AbortSignal): Promise<RollupReport>;
}

/** Properties whose day lies between the same moments. */
interface Due extends DaySpan {
  readonly days: Days;
  readonly organizationId: string;
  readonly attributionIds: string[];
}

/** Why a day may not be counted: not all of its hits are there yet, or no more. */
export function refusal(
  span: DaySpan,
  days: Pick<Days, 'since'>,
  { now, retentionDays }: { readonly now: number; readonly retentionDays: number },
): SkipReason | null {
  if (span.to > now) return 'open';
  // What is left of a former zone stays as it was counted.
  if (span.day < days.since) return 'older_than_retention';
  return span.from < now - retentionDays * DAY_MS + RETENTION_MARGIN_MS ? 'older_than_retention' : null;
}

export function createRollup({
  warehouse,
  ledger,
  zones,
  firsts,
  retentionDays,
  withLock,
  clock,
  log,
}: RollupDeps): Rollup {
  const counting = createCounting({ warehouse, ledger, zones, clock, log }, 0);

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
    if ((await warehouse.standing()) === 'replicated') await warehouse.syncReplica('hits');
    const counter = await counting.begin();
    const counted: NewlyCounted[] = [];
    const refused = new Map<string, RollupReport['skipped'][number]>();
    let short = 0;
    const owners = new Map<string, string>();
    const due = (await dueDays(date, began)).filter(({ days, ...span }) => {
      const reason = refusal(span, days, { now: began, retentionDays });
      // The current day is not reported, unless it was requested by name.
      if (reason !== null && (date !== undefined || reason !== 'open'))
        refused.set(`${span.day}/${reason}`, { day: dateOf(span.day), reason });
      return reason === null;
    });
    for (const some of together(due)) {
      for (const id of some.attributionIds) owners.set(id, some.organizationId);
      const done = await counter.count({ ...some, force: date !== undefined });
      short += done.short;
      counted.push(...done.counted);
    }
    const told = [...Map.groupBy(counted, ({ day }) => day)]
      .sort(([a], [b]) => a - b)
      .map(([day, of]) => ({
        ...{ day: dateOf(day), properties: of.length, hits: sum(of, ({ hits }) => hits) },
      }));
    const skipped = [...refused.values()];
    if (date !== undefined && told.length + skipped.length === 0) {
      const utc = daysIn(UTC);
      const reason = refusal(spanOf(utc, dayOf(date)), utc, { now: began, retentionDays });
      skipped.push({ day: date, reason: reason ?? 'no_hits' });
    }
    // Where rows are not on every replica yet, the next run looks at the same days again.
    if (short > 0)
      log.warn({ short }, 'daily rows are not on every replica yet; their days are counted by the next run');
    else if (date === undefined) await ledger.setCountedUntil(began);
    // Before the hits of their first visits are gone.
    if (date === undefined)
      for (const [id, organizationId] of owners) await firsts.learn({ id, organizationId });
    await clean();
    if (date === undefined) await merge();
    // A request for a day gets the same answer; a past that is caught up with day by day would fill the log.
    const figures = { days: told.length, skipped: skipped.length, ms: clock() - began };
    log[date === undefined ? 'info' : 'debug'](figures, 'closed days were counted');
    return { days: told, skipped };
  };

  /** Oldest first. */
  const dueDays = async (date: string | undefined, now: number): Promise<Due[]> => {
    const due = new Map<string, Due>();
    const seen = new Set<string>();
    const add = async (found: readonly Grown[], isMeant: (span: DaySpan) => boolean): Promise<void> => {
      const daysOf = await zones.of([...new Set(found.map(({ attributionId }) => attributionId))]);
      for (const { organizationId, attributionId, first, last } of found) {
        const days = daysOf(attributionId);
        for (let day = days.dayAt(first); day <= days.dayAt(last); day += 1) {
          const span = spanOf(days, day);
          if (seen.has(`${attributionId}/${day}`) || !isMeant(span)) continue;
          seen.add(`${attributionId}/${day}`);
          const key = [day, organizationId, span.from, span.to, days.since].join('/');
          const same = due.get(key) ?? { ...span, days, organizationId, attributionIds: [] };
          due.set(key, same);
          same.attributionIds.push(attributionId);
        }
      }
    };
    if (date !== undefined) {
      const { from, to } = spanOf(daysIn(UTC), dayOf(date));
      const near = await grownHits(warehouse, { from: from - DAY_MS, to: to + DAY_MS });
      await add(near, ({ day }) => day === dayOf(date));
    } else {
      const until = await ledger.countedUntil();
      const overlap = (await warehouse.standing()) === 'replicated' ? REPLICAS_OVERLAP_MS : STORED_OVERLAP_MS;
      const since = until === null ? 0 : Math.max(0, until - overlap);
      // Two questions: under one OR neither the sorting key nor the index on `stored_at` would be used.
      await add(await grownHits(warehouse, { storedSince: since, to: now }), () => true);
      // Days that were open then may have had all of their hits already.
      if (since > 0)
        await add(
          await grownHits(warehouse, { from: since - LONGEST_DAY_MS, to: now }),
          ({ to }) => to > since,
        );
    }
    return [...due.values()].sort((a, b) => a.day - b.day || (a.organizationId < b.organizationId ? -1 : 1));
  };

  return {
    async run(date) {
      if (date !== undefined && Number.isNaN(dayOf(date)))
        throw new ServiceError('invalid', 'The date is not a day of the calendar; write it as 2026-11-20.', {
          errors: [{ pointer: '/date', message: 'Enter a day as YYYY-MM-DD.' }],
        });
      let report: Omit<RollupReport, 'ran'> = { days: [], skipped: [] };
      const ran = await withLock('reports:rollup', async () => {
        report = await perform(date);
      });
      return { ...report, ran };
    },
  };
}

/** Days of the same properties, of one calendar: a zone may have been changed while they were gathered. @param due oldest first */
function together(due: readonly Due[]): Omit<ToCount, 'force'>[] {
  // They were gathered in the order of their first visits, which is another one each day.
  const ownersOf = ({ organizationId, attributionIds }: Due) =>
    [organizationId, ...attributionIds.toSorted()].join('/');
  return [...Map.groupBy(due, ownersOf).values()].flatMap((ofOwners) => {
    const calendars: { calendar: Days; days: number[] }[] = [];
    for (const { days: calendar, day, ...span } of ofOwners) {
      const last = calendars.at(-1);
      if (last !== undefined && isOfDay(span, spanOf(last.calendar, day))) last.days.push(day);
      else calendars.push({ calendar, days: [day] });
    }
    const { organizationId = '', attributionIds = [] } = ofOwners[0] ?? {};
    return calendars.map((one) => ({ organizationId, attributionIds, ...one }));
  });
}
