/**
 * Another time zone makes other days: since a property's zone was changed, its closed days are counted again, newest first. Reports read raw
 * hits for what is still to come, so they are right all the while. What raw hits no longer hold stays as it was counted.
 */

import { DAY_MS } from '@ghostlight/core/time';
import { type Clock, daysIn, daysOf, type Log, type Zoned, type ZoneSince } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner, Recounting } from '../properties/index.ts';
import { countHits, firstHitAt, type Warehouse } from '../warehouse/index.ts';
import { type Counting, createCounting } from './counting.ts';
import { isOfDay, type Ledger } from './ledger.ts';
import { refusal } from './rollup.ts';
import { type Changed, spanOf, type Zones } from './zones.ts';

/** Days that raw hits are kept beyond the first that is counted again: counting has this long to come to it. */
const SPARE_DAYS = 2;
/** Longer than daily rows are kept. */
const MAX_DAYS = 1_200;

export interface RecountingDeps {
  readonly warehouse: Warehouse;
  readonly ledger: Ledger;
  readonly zones: Zones;
  /** Days that raw hits are kept. */
  readonly retentionDays: number;
  readonly withLock: Database['withLock'];
  readonly clock: Clock;
  readonly log: Log;
}

export interface OpenRecounting extends Recounting {
  /** Counts what is waiting, unless another node is at it. A change that a crash cut off is taken up here. */
  run(): Promise<void>;
  /** Ends after the days that are being counted together. */
  close(): Promise<void>;
}

export function createRecounting({
  warehouse,
  ledger,
  zones,
  retentionDays,
  withLock,
  clock,
  log,
}: RecountingDeps): OpenRecounting {
  // Beside the nightly run, which waits for nothing.
  const counting = createCounting({ warehouse, ledger, zones, clock, log }, 1);
  let running: Promise<void> | null = null;
  let closing = false;

  /** The first day that can be counted again, and those up to today. */
  const daysToCount = async (owner: Owner & Zoned): Promise<number[]> => {
    const calendar = daysOf(owner);
    const scope = { organizationId: owner.organizationId, attributionId: owner.id };
    const firstAt = await firstHitAt(warehouse, scope);
    const today = calendar.dayAt(clock());
    const counted = await ledger.counted(owner, today - MAX_DAYS, today);
    const earliest = Math.min(...counted.keys(), firstAt === null ? today : calendar.dayAt(firstAt));
    const days = range(Math.max(earliest - 1, calendar.since, today - MAX_DAYS), today).filter(
      (day) => refusal(spanOf(calendar, day), calendar, { now: clock(), retentionDays }) === null,
    );
    const hits = days.length === 0 ? null : await countHits(warehouse, scope, days, calendar.startOf);
    return days
      .filter((day) => {
        const standing = counted.get(day);
        return standing === undefined ? hits?.has(day) : !isOfDay(standing, spanOf(calendar, day));
      })
      .reverse();
  };

  const recount = async (change: Changed, counter: Counting): Promise<void> => {
    const began = clock();
    const calendar = daysOf(change);
    const days = await daysToCount(change);
    const goesOn = async () => !closing && (await zones.stillChanged(change));
    const { short } = await counter.count({
      ...{ organizationId: change.organizationId, attributionIds: [change.id] },
      ...{ calendar, days, force: true, goesOn },
    });
    // Rows that not every replica has yet are made again in the next turn.
    if (short > 0 || !(await goesOn())) return;
    await zones.settle(change);
    log.info(
      { property: change.id, days: days.length, ms: clock() - began },
      'days were counted in another time zone',
    );
  };

  const run = async (): Promise<void> => {
    await withLock('reports:recount', async () => {
      const changes = await zones.changed();
      if (changes.length === 0) return;
      const counter = await counting.begin();
      for (const change of changes) await recount(change, counter);
    });
  };

  return {
    async since(property, timeZone): Promise<ZoneSince | null> {
      const before = daysOf(property);
      const now = clock();
      const today = before.dayAt(now);
      const counted = await ledger.counted(property, today - MAX_DAYS, today);
      const days = [...counted.keys()].sort((a, b) => a - b);
      if (days.length === 0) return null;
      const scope = { organizationId: property.organizationId, attributionId: property.id };
      const hits = await countHits(warehouse, scope, days, before.startOf);
      const limit = now - (retentionDays - SPARE_DAYS) * DAY_MS;
      // Rows of a day whose hits are gone, be it that they grew too old or that they were kept for less long then.
      const last = days.findLast((day) => {
        const row = counted.get(day);
        if (row === undefined || row.hits === 0) return false;
        return row.from < limit || (isOfDay(row, spanOf(before, day)) && (hits.get(day) ?? 0) < row.hits);
      });
      if (last === undefined) return null;
      const first = Math.max(last + 1, before.since === Number.NEGATIVE_INFINITY ? last + 1 : before.since);
      const at = counted.get(first - 1)?.to ?? before.startOf(first);
      // The same days as before: nothing has to be told apart.
      return property.zoneSince === null && sameDays(before, daysIn(timeZone), days)
        ? null
        : { day: first, at };
    },
    begin() {
      if (closing || running !== null) return;
      running = run()
        .catch((error: unknown) =>
          log.error({ err: error }, 'days could not be counted in another time zone'),
        )
        .finally(() => {
          running = null;
        });
    },
    async progress(property) {
      if (property.recountAskedAt === null) return null;
      const calendar = daysOf(property);
      const today = calendar.dayAt(clock());
      const counted = await ledger.counted(property, Math.max(today - MAX_DAYS, calendar.since), today);
      const done = [...counted].filter(([day, row]) => isOfDay(row, spanOf(calendar, day)));
      return { days: counted.size, counted: done.length };
    },
    run,
    async close() {
      closing = true;
      await running;
    },
  };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

const sameDays = (
  a: { startOf(day: number): number },
  b: { startOf(day: number): number },
  days: readonly number[],
): boolean =>
  days.every((day) => a.startOf(day) === b.startOf(day) && a.startOf(day + 1) === b.startOf(day + 1));
