/** The rows of closed days: which days have grown, counting one, removing what no day is read of, and keeping the rest in few parts. */
import { dateOf } from '../../common/index.ts';
import { NUMBERS_AS_NUMBERS } from '../row.ts';
import type { Warehouse } from '../warehouse.ts';
import { coveredBy } from './coverage.ts';
import { DAILY_TABLES, dailyInsert, dailyLater } from './daily-tables.ts';
import { dayOfHit, type StartOf, spansOf, stretches } from './days.ts';

/** A day of a property, counted from 1970-01-01. */
export interface PropertyDay {
  readonly organizationId: string;
  readonly attributionId: string;
  readonly day: number;
}

/** Reads all of a night's hits, beside the readers: never within the engine's last memory, and spilled to disk before. */
const RUN_SETTINGS = {
  ...NUMBERS_AS_NUMBERS,
  max_execution_time: 280,
  max_memory_usage: 1024 * 1024 * 1024,
  max_bytes_before_external_group_by: 400 * 1024 * 1024,
} as const;
/** Days of properties that one run looks at: a thousand properties over a year. */
const MAX_DAYS = 400_000;

/** Between which moments visits of a property lie, both inside; epoch milliseconds. */
export interface Grown {
  readonly organizationId: string;
  readonly attributionId: string;
  readonly first: number;
  readonly last: number;
}

interface GrownRow {
  readonly organization_id: string;
  readonly attribution_id: string;
  readonly first: number;
  readonly last: number;
}

/** Hits of a UTC day at a time: the days of the property between their first and last moment are theirs, in whatever zone. */
const GROWN = `toUnixTimestamp64Milli(min(h.at)) AS first, toUnixTimestamp64Milli(max(h.at)) AS last`;
const TOGETHER = 'intDiv(toUnixTimestamp64Milli(h.at), 86400000)';

/**
 * Where every property has hits that were stored since a moment, or that lie between two. Not bound to a scope: the nightly run alone asks.
 * @param request epoch milliseconds; `storedSince` outside, `from` inside, `to` outside
 */
export async function grownHits(
  warehouse: Warehouse,
  { storedSince, from = 0, to }: { storedSince?: number; from?: number; to: number },
): Promise<Grown[]> {
  const rows = await warehouse.rows<GrownRow>('report', {
    sql: `SELECT h.organization_id AS organization_id, h.attribution_id AS attribution_id, ${GROWN}
FROM hits AS h
WHERE ${storedSince === undefined ? 'true' : 'h.stored_at > fromUnixTimestamp64Milli({storedSince:Int64})'}
  AND h.at >= fromUnixTimestamp64Milli({from:Int64}) AND h.at < fromUnixTimestamp64Milli({to:Int64})
GROUP BY organization_id, attribution_id, ${TOGETHER}
ORDER BY first, organization_id, attribution_id LIMIT ${MAX_DAYS}`,
    params: { storedSince: storedSince ?? 0, from, to },
    settings: RUN_SETTINGS,
  });
  return rows.map(({ organization_id, attribution_id, first, last }) => ({
    ...{ organizationId: organization_id, attributionId: attribution_id, first, last },
  }));
}

/** Where one property has hits that were stored since a moment. */
export async function grownOf(
  warehouse: Warehouse,
  scope: Omit<PropertyDay, 'day'>,
  since: number,
  signal?: AbortSignal,
): Promise<Pick<Grown, 'first' | 'last'>[]> {
  return await warehouse.rows<Pick<Grown, 'first' | 'last'>>(
    'live',
    {
      sql: `SELECT ${GROWN} FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID}
  AND h.stored_at > fromUnixTimestamp64Milli({since:Int64})
GROUP BY ${TOGETHER} ORDER BY first LIMIT 1000`,
      params: { organization: scope.organizationId, property: scope.attributionId, since },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10 },
    },
    signal,
  );
}

/** Raw hits of some days of one property, by day; days without any are absent. @param days ascending */
export async function countHits(
  warehouse: Warehouse,
  scope: Omit<PropertyDay, 'day'>,
  days: readonly number[],
  startOf: StartOf,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const rows = await warehouse.rows<{ day: number; n: number }>(
    'live',
    {
      sql: `SELECT toUInt32(${dayOfHit(days, startOf)}) AS day, count() AS n FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} AND (${stretches(days, startOf)})
GROUP BY day`,
      params: { organization: scope.organizationId, property: scope.attributionId },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10 },
    },
    signal,
  );
  return new Map(rows.map(({ day, n }) => [day, n]));
}

/** A day, and between which moments it lies, epoch milliseconds, the end outside. */
export interface DaySpan {
  readonly day: number;
  readonly from: number;
  readonly to: number;
}

/** Property → day → hits; what has none is absent. */
export type HitsOfDays = ReadonlyMap<string, ReadonlyMap<number, number>>;

/**
 * Raw hits of some days of some properties of one organization.
 * @param attributionIds at most some hundreds, which all have their days by `startOf`
 * @param days ascending
 */
export async function countDays(
  warehouse: Warehouse,
  organizationId: string,
  attributionIds: readonly string[],
  days: readonly number[],
  startOf: StartOf,
): Promise<HitsOfDays> {
  const rows = await warehouse.rows<{ property: string; day: number; n: number }>('report', {
    sql: `SELECT h.attribution_id AS property, toUInt32(${dayOfHit(days, startOf)}) AS day, count() AS n FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id IN {properties:Array(UUID)} AND (${stretches(days, startOf)})
GROUP BY property, day`,
    params: { organization: organizationId, properties: attributionIds },
    settings: RUN_SETTINGS,
  });
  const found = new Map<string, Map<number, number>>();
  for (const { property, day, n } of rows) {
    const of = found.get(property) ?? new Map<number, number>();
    found.set(property, of.set(day, n));
  }
  return found;
}

/** A day, and the run that counts it: each has its own, so that each can be replaced and removed by itself. */
export interface DayRun {
  readonly day: number;
  readonly run: number;
}

/**
 * Counts days of some properties of one organization into rows of their own, which no query reads before their runs are published: one
 * statement per table, however many days. Each table from the hits themselves: another replica may not have yet what was written a moment ago.
 * @param attributionIds at most some hundreds, which all have their days by `startOf`
 * @param days ascending, fewer than the hundred months that one INSERT may write
 */
export async function countInto(
  warehouse: Warehouse,
  organizationId: string,
  attributionIds: readonly string[],
  days: readonly DayRun[],
  startOf: StartOf,
): Promise<void> {
  const dates = days.map(({ day }) => day);
  const covered = coveredBy('c.attribution_id IN {properties:Array(UUID)}', spansOf(dates, startOf));
  const of = { day: dayOfHit(dates, startOf), run: runOfDay(days) };
  for (const table of DAILY_TABLES) {
    const from = `FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id IN {properties:Array(UUID)}
  AND (${stretches(dates, startOf)}) AND h.class IN (${table.classes.map((name) => `'${name}'`).join(', ')})`;
    const sql = dailyInsert(table, of, covered, from);
    const params = { organization: organizationId, properties: attributionIds };
    await warehouse.command({ sql, params, settings: RUN_SETTINGS }, 'report');
  }
}

/** The run of a group's day, as SQL over `k_day`. */
function runOfDay(days: readonly DayRun[]): string {
  const [first] = days;
  if (first !== undefined && days.length === 1) return `toUInt64(${first.run})`;
  const list = (of: readonly number[]): string => `[${of.join(', ')}]`;
  return `transform(toUInt32(k_day), ${list(days.map(({ day }) => day))}, ${list(days.map(({ run }) => run))}, toUInt64(0))`;
}

const LATE_TABLES = DAILY_TABLES.filter(({ isLate }) => isLate);

/**
 * Fills the tables that were made later than some runs, from their rows of pages, under their own numbers: no report reads them before the
 * days are known to be complete. What an attempt before has left is removed.
 * @param attributionIds properties of one organization, at most some hundreds
 * @param days fewer than the hundred months that one INSERT may write
 */
export async function countLater(
  warehouse: Warehouse,
  organizationId: string,
  attributionIds: readonly string[],
  days: readonly DayRun[],
): Promise<void> {
  const runs = days.map(({ run }) => run);
  const dates = days.map(({ day }) => dateOf(day));
  const params = { organization: organizationId, properties: attributionIds, days: dates, runs };
  // A run is of one day: the days only say where its rows lie.
  const ofRuns = (table: string) => `FROM ${table} AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id IN {properties:Array(UUID)} AND h.day IN {days:Array(Date)}
  AND h.run IN {runs:Array(UInt64)}`;
  for (const table of LATE_TABLES) {
    const [left] = await warehouse.rows<{ n: number }>('report', {
      sql: `SELECT count() AS n ${ofRuns(table.name)}`,
      params,
      settings: RUN_SETTINGS,
    });
    if ((left?.n ?? 0) > 0)
      await removeFrom(
        warehouse,
        table.name,
        attributionIds.flatMap((attributionId) => runs.map((run) => ({ run, attributionId }))),
      );
    const classes = table.classes.map((name) => `'${name}'`).join(', ');
    const sql = dailyLater(table, `${ofRuns('daily_pages')} AND h.class IN (${classes})`);
    // The same rows again are no repetition once those before were removed.
    await warehouse.command({ sql, params, settings: { ...RUN_SETTINGS, insert_deduplicate: 0 } }, 'report');
  }
}

/** A run's rows of a property. */
interface RunOf {
  readonly run: number;
  readonly attributionId: string;
}

/** Removes rows of runs that no day is read of. @param leftovers at most some hundreds */
export async function removeRuns(warehouse: Warehouse, leftovers: readonly RunOf[]): Promise<void> {
  if (leftovers.length === 0) return;
  for (const { name } of DAILY_TABLES) await removeFrom(warehouse, name, leftovers);
}

async function removeFrom(warehouse: Warehouse, table: string, runs: readonly RunOf[]): Promise<void> {
  // Pairs can't be parameters of the embedded backend; both halves are ours, and checked to be what they should.
  const pairs = runs.map(({ run, attributionId }) => {
    if (!Number.isSafeInteger(run) || !/^[0-9a-f-]{36}$/.test(attributionId))
      throw new TypeError('Not the rows of a run');
    return `(toUUID('${attributionId}'), ${run})`;
  });
  const sql = `DELETE FROM ${table} WHERE (attribution_id, run) IN (${pairs.join(', ')})`;
  await warehouse.command({ sql, settings: { lightweight_deletes_sync: 1 } }, 'report');
}

/** A month of more is left to the engine: this many took about a minute and a half on two processors. */
const MERGED_ROWS = 100_000_000;

/**
 * Merges what was counted night by night: each part of a month costs every question about a millisecond, and the engine by itself leaves
 * three to five of them. Latest months first.
 * @param until epoch milliseconds: what has not begun by then waits for the next night
 */
export async function mergeParts(warehouse: Warehouse, until: number): Promise<void> {
  const months = await warehouse.rows<{ table: string; month: string }>('report', {
    sql: `SELECT table, partition_id AS month FROM system.parts
WHERE database = currentDatabase() AND active AND table IN {tables:Array(String)}
GROUP BY table, partition_id HAVING count() > 1 AND sum(rows) <= ${MERGED_ROWS}
ORDER BY month DESC, table LIMIT 200`,
    params: { tables: DAILY_TABLES.map(({ name }) => name) },
    settings: RUN_SETTINGS,
  });
  for (const { table, month } of months) {
    if (warehouse.clock() >= until) return;
    await warehouse.command({ sql: `OPTIMIZE TABLE ${table} PARTITION ID '${month}' FINAL` }, 'report');
  }
}
