/** Which run of a closed day counts: the state database's side of daily rows. */

import { dateOf, dayOf, daysIn, piecesOf, UTC } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { DAILY_ROWS_DAYS, type DaySpan, type PropertyDay } from '../warehouse/index.ts';

/** Where a closed day is read from. */
export interface CountedDay {
  readonly run: number;
  /** Raw hits that the run counted. */
  readonly hits: number;
  /** Between which moments they lie: the day as it was when it was counted. Epoch milliseconds, the end outside. */
  readonly from: number;
  readonly to: number;
  /** Its rows are in every daily table of now. */
  readonly isComplete: boolean;
}

/** Days of a property that were counted by a version with fewer daily tables. */
export interface IncompleteDay extends PropertyDay {
  readonly standing: CountedDay;
}

/** A day of a property that a run is to count. A run is of one day. */
export interface RunOfDay extends PropertyDay {
  readonly run: number;
}

/** What it counted: raw hits, and between which moments. */
export type NewlyCounted = RunOfDay & Pick<CountedDay, 'hits' | 'from' | 'to'>;

/** Whether a day was counted between the moments between which it lies today. */
export const isOfDay = (
  counted: Pick<CountedDay, 'from' | 'to'>,
  { from, to }: Pick<DaySpan, 'from' | 'to'>,
): boolean => counted.from === from && counted.to === to;

/** Until when everything has been counted; epoch milliseconds. */
const COUNTED_UNTIL = 'reports.counted_until';
/** Of which months all totals are by which rule of files. */
const FILE_RULE = 'reports.file_rule';
/** Rows of a statement on SQLite and PostgreSQL alike stay below their number of parameters. */
const ROWS_PER_STATEMENT = 500;
const LEFTOVERS_AT_ONCE = 500;

/** How far closed days follow the rule of files. */
export interface RuleOfFiles {
  readonly rule: string;
  /** Every day follows it. */
  readonly isDone: boolean;
  /** `YYYYMM`: of these every day does. */
  readonly months: readonly number[];
}

/** Day → what was dropped. */
export type OverQuota = ReadonlyMap<number, 'samples' | 'visits'>;

export interface Ledger {
  /** null: nothing was ever counted. */
  countedUntil(): Promise<number | null>;
  setCountedUntil(at: number): Promise<void>;
  /** null: nothing is known yet. */
  ruleOfFiles(): Promise<RuleOfFiles | null>;
  setRuleOfFiles(state: RuleOfFiles): Promise<void>;
  /** By day. Both inside. */
  counted(owner: Owner, from: number, to: number): Promise<ReadonlyMap<number, CountedDay>>;
  /** Days on which visits were dropped over the quota: samples alone, or from some moment on all. Both inside. */
  overQuota(owner: Owner, from: number, to: number): Promise<OverQuota>;
  /** The first day that was counted and whose rows the warehouse still keeps; null: none. */
  firstCounted(owner: Owner): Promise<number | null>;
  /** Of some properties of one organization on some days; at most some thousands of values in all. */
  countedOn(
    organizationId: string,
    attributionIds: readonly string[],
    days: readonly number[],
  ): Promise<(attributionId: string, day: number) => CountedDay | undefined>;
  /** Days whose rows are not in every daily table, newest first. Not bound to a scope: a job alone asks. */
  incomplete(limit: number): Promise<IncompleteDay[]>;
  /** The runs of these days have rows in every table now. */
  complete(days: readonly IncompleteDay[]): Promise<void>;
  /** The highest run that was ever given out and is still known; 0: none. */
  lastRun(): Promise<number>;
  /** Before the first row is written: what a crash leaves behind is known. */
  begin(days: readonly RunOfDay[]): Promise<void>;
  /** From here on these days are read from these runs, all at once; the previous runs become garbage. */
  publish(days: readonly NewlyCounted[]): Promise<void>;
  /** Runs of no use since before a moment; at most 500. */
  leftovers(before: number): Promise<{ run: number; attributionId: string; organizationId: string }[]>;
  forget(leftovers: readonly { run: number; attributionId: string; organizationId: string }[]): Promise<void>;
}

export function createLedger(database: Database, clock: () => number): Ledger {
  const { reader, kysely } = database;
  const noted = async (key: string): Promise<string | null> => {
    const row = await reader
      .selectFrom('installation')
      .select('value')
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.value ?? null;
  };
  const note = async (key: string, value: string): Promise<void> => {
    await kysely
      .insertInto('installation')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  };
  return {
    async countedUntil() {
      const value = await noted(COUNTED_UNTIL);
      return value === null ? null : Number(value);
    },
    setCountedUntil: (at) => note(COUNTED_UNTIL, String(at)),
    async ruleOfFiles() {
      const value = await noted(FILE_RULE);
      return value === null ? null : (JSON.parse(value) as RuleOfFiles);
    },
    setRuleOfFiles: (state) => note(FILE_RULE, JSON.stringify(state)),
    async counted({ id, organizationId }, from, to) {
      const rows = await reader
        .selectFrom('daily_rows')
        .select(['day', 'run', 'hits', 'starts_at', 'ends_at', 'complete_run'])
        .where('organization_id', '=', organizationId)
        .where('attribution_id', '=', id)
        .where('day', '>=', dateOf(from))
        .where('day', '<=', dateOf(to))
        .execute();
      return new Map(rows.map((row) => [dayOf(row.day), countedDay(row)]));
    },
    async overQuota({ id, organizationId }, from, to) {
      const rows = await reader
        .selectFrom('over_quota_days')
        .select(['day', 'closed_at'])
        .where('organization_id', '=', organizationId)
        .where('attribution_id', '=', id)
        .where('day', '>=', dateOf(from))
        .where('day', '<=', dateOf(to))
        .orderBy('day')
        .execute();
      return new Map(rows.map((row) => [dayOf(row.day), row.closed_at === null ? 'samples' : 'visits']));
    },
    async firstCounted({ id, organizationId }) {
      const row = await reader
        .selectFrom('daily_rows')
        .select('day')
        .where('organization_id', '=', organizationId)
        .where('attribution_id', '=', id)
        .where('day', '>=', dateOf(daysIn(UTC).dayAt(clock()) - DAILY_ROWS_DAYS))
        // A day that has none since it is counted in another zone.
        .where('hits', '>', 0)
        .orderBy('day')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : dayOf(row.day);
    },
    async countedOn(organizationId, attributionIds, days) {
      const rows = await reader
        .selectFrom('daily_rows')
        .select(['attribution_id', 'day', 'run', 'hits', 'starts_at', 'ends_at', 'complete_run'])
        .where('organization_id', '=', organizationId)
        .where('attribution_id', 'in', attributionIds)
        .where('day', 'in', days.map(dateOf))
        .execute();
      const counted = new Map(rows.map((row) => [`${row.attribution_id}/${row.day}`, countedDay(row)]));
      return (attributionId, day) => counted.get(`${attributionId}/${dateOf(day)}`);
    },
    async incomplete(limit) {
      const rows = await reader
        .selectFrom('daily_rows')
        .select([
          ...(['organization_id', 'attribution_id', 'day', 'run', 'hits'] as const),
          ...(['starts_at', 'ends_at', 'complete_run'] as const),
        ])
        .where('hits', '>', 0)
        .where(({ eb, or, ref }) =>
          or([eb('complete_run', 'is', null), eb('complete_run', '!=', ref('run'))]),
        )
        .orderBy('day', 'desc')
        .orderBy('organization_id')
        .orderBy('run')
        .orderBy('attribution_id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        organizationId: row.organization_id,
        attributionId: row.attribution_id,
        day: dayOf(row.day),
        standing: countedDay(row),
      }));
    },
    async complete(days) {
      await kysely.transaction().execute(async (trx) => {
        for (const { organizationId, attributionId, day, standing } of days)
          await trx
            .updateTable('daily_rows')
            .set({ complete_run: standing.run })
            .where('organization_id', '=', organizationId)
            .where('attribution_id', '=', attributionId)
            .where('day', '=', dateOf(day))
            .where('run', '=', standing.run)
            .execute();
      });
    },
    async lastRun() {
      const newest = async (table: 'daily_rows' | 'daily_leftovers') =>
        (
          await kysely
            .selectFrom(table)
            .select(({ fn }) => fn.max('run').as('run'))
            .executeTakeFirst()
        )?.run ?? 0;
      return Math.max(Number(await newest('daily_rows')), Number(await newest('daily_leftovers')));
    },
    async begin(days) {
      const at = clock();
      for (const piece of piecesOf(days, ROWS_PER_STATEMENT)) {
        await kysely
          .insertInto('daily_leftovers')
          .values(piece.map((one) => ({ run: one.run, at, ...keyOf(one) })))
          .execute();
      }
    },
    async publish(days) {
      const at = clock();
      await kysely.transaction().execute(async (trx) => {
        for (const [run, ofRun] of Map.groupBy(days, (one) => one.run))
          for (const piece of piecesOf(ofRun, ROWS_PER_STATEMENT)) await publishRun(trx, run, piece, at);
      });
    },
    async leftovers(before) {
      const rows = await reader
        .selectFrom('daily_leftovers')
        .select(['run', 'attribution_id', 'organization_id'])
        .where('at', '<', before)
        .orderBy('run')
        .limit(LEFTOVERS_AT_ONCE)
        .execute();
      return rows.map((row) => ({
        run: row.run,
        attributionId: row.attribution_id,
        organizationId: row.organization_id,
      }));
    },
    async forget(leftovers) {
      await kysely.transaction().execute(async (trx) => {
        for (const { run, attributionId, organizationId } of leftovers) {
          await trx
            .deleteFrom('daily_leftovers')
            .where('run', '=', run)
            .where('organization_id', '=', organizationId)
            .where('attribution_id', '=', attributionId)
            .execute();
        }
      });
    },
  };
}

/** @param days properties of one organization, on one day */
async function publishRun(
  trx: Database['kysely'],
  run: number,
  days: readonly NewlyCounted[],
  at: number,
): Promise<void> {
  const [first] = days;
  if (first === undefined) return;
  const ids = days.map(({ attributionId }) => attributionId);
  const replaced = await trx
    .selectFrom('daily_rows')
    .select(['run', 'attribution_id', 'day', 'organization_id'])
    .where('organization_id', '=', first.organizationId)
    .where('day', '=', dateOf(first.day))
    .where('attribution_id', 'in', ids)
    .execute();
  if (replaced.length > 0) {
    await trx
      .insertInto('daily_leftovers')
      .values(replaced.map((row) => ({ ...row, at })))
      .execute();
  }
  await trx
    .insertInto('daily_rows')
    .values(
      days.map((one) => ({
        ...{ run, hits: one.hits, starts_at: one.from, ends_at: one.to, complete_run: run },
        ...keyOf(one),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'attribution_id', 'day']).doUpdateSet((set) => ({
        run: set.ref('excluded.run'),
        hits: set.ref('excluded.hits'),
        starts_at: set.ref('excluded.starts_at'),
        ends_at: set.ref('excluded.ends_at'),
        complete_run: set.ref('excluded.complete_run'),
      })),
    )
    .execute();
  // What else the run counted is of no use.
  await trx.deleteFrom('daily_leftovers').where('run', '=', run).where('attribution_id', 'in', ids).execute();
}

const countedDay = (row: {
  day: string;
  run: number;
  hits: number;
  starts_at: number | null;
  ends_at: number | null;
  complete_run: number | null;
}): CountedDay => ({
  run: row.run,
  hits: row.hits,
  isComplete: row.complete_run === row.run || row.hits === 0,
  from: row.starts_at ?? daysIn(UTC).startOf(dayOf(row.day)),
  to: row.ends_at ?? daysIn(UTC).startOf(dayOf(row.day) + 1),
});

const keyOf = ({ organizationId, attributionId, day }: PropertyDay) => ({
  organization_id: organizationId,
  attribution_id: attributionId,
  day: dateOf(day),
});
