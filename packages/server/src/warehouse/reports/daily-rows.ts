/** The rows of closed days: which days have grown, counting one, removing what no day is read of, and keeping the rest in few parts. */
import { NUMBERS_AS_NUMBERS } from '../row.ts';
import type { Warehouse } from '../warehouse.ts';
import { DAILY_TABLES, dailyGroup, dailyInsert } from './daily-tables.ts';
import { DAY_MS, dateOf, stretches } from './facts.ts';

/** A day of a property, counted from 1970. */
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

interface DayRow {
  readonly organization_id: string;
  readonly attribution_id: string;
  readonly day: number;
}

/**
 * Days, of every property, that may have grown: hits stored since a moment, and those of the days that were open then. Not bound to a
 * scope: the nightly run alone asks.
 * @param since epoch milliseconds; 0: every day; null: no other than those from `openFrom` on
 * @param openFrom the first day that was open at that moment
 * @param before the first day that is not asked for
 */
export async function daysToCount(
  warehouse: Warehouse,
  { since, openFrom, before }: { since: number | null; openFrom: number; before: number },
): Promise<PropertyDay[]> {
  const ask = async (condition: string): Promise<DayRow[]> =>
    await warehouse.rows<DayRow>('report', {
      sql: `SELECT h.organization_id AS organization_id, h.attribution_id AS attribution_id, toUInt32(toDate(h.at)) AS day
FROM hits AS h
WHERE ${condition} AND h.at < fromUnixTimestamp64Milli({before:Int64})
GROUP BY organization_id, attribution_id, day
ORDER BY day, organization_id, attribution_id LIMIT ${MAX_DAYS}`,
      params: { since: since ?? 0, openFrom: openFrom * DAY_MS, before: before * DAY_MS },
      settings: RUN_SETTINGS,
    });
  // Two questions: under one OR neither the sorting key nor the index on `stored_at` would be used.
  const rows = [
    ...(since === null ? [] : await ask('h.stored_at > fromUnixTimestamp64Milli({since:Int64})')),
    ...(since === 0 ? [] : await ask('h.at >= fromUnixTimestamp64Milli({openFrom:Int64})')),
  ];
  const seen = new Set<string>();
  return rows
    .filter((row) => {
      const key = `${row.day}/${row.organization_id}/${row.attribution_id}`;
      return !seen.has(key) && seen.add(key);
    })
    .map((row) => ({ organizationId: row.organization_id, attributionId: row.attribution_id, day: row.day }))
    .sort((a, b) => a.day - b.day || (a.organizationId < b.organizationId ? -1 : 1));
}

/** Days of one property in which something was stored since a moment. */
export async function grownDays(
  warehouse: Warehouse,
  scope: Omit<PropertyDay, 'day'>,
  since: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const rows = await warehouse.rows<{ day: number }>(
    'live',
    {
      sql: `SELECT DISTINCT toUInt32(toDate(h.at)) AS day FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID}
  AND h.stored_at > fromUnixTimestamp64Milli({since:Int64})
ORDER BY day LIMIT 1000`,
      params: { organization: scope.organizationId, property: scope.attributionId, since },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10 },
    },
    signal,
  );
  return rows.map(({ day }) => day);
}

/** Raw hits of some days of one property, by day; days without any are absent. */
export async function countHits(
  warehouse: Warehouse,
  scope: Omit<PropertyDay, 'day'>,
  days: readonly number[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const rows = await warehouse.rows<{ day: number; n: number }>(
    'live',
    {
      sql: `SELECT toUInt32(toDate(h.at)) AS day, count() AS n FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} AND (${stretches(days)})
GROUP BY day`,
      params: { organization: scope.organizationId, property: scope.attributionId },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10 },
    },
    signal,
  );
  return new Map(rows.map(({ day, n }) => [day, n]));
}

/** Raw hits of one day, by property; of one organization. @param attributionIds at most some hundreds */
export async function countDay(
  warehouse: Warehouse,
  organizationId: string,
  attributionIds: readonly string[],
  day: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await warehouse.rows<{ property: string; n: number }>('report', {
    sql: `SELECT h.attribution_id AS property, count() AS n FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id IN {properties:Array(UUID)} AND ${stretches([day])}
GROUP BY property`,
    params: { organization: organizationId, properties: attributionIds },
    settings: RUN_SETTINGS,
  });
  return new Map(rows.map(({ property, n }) => [property, n]));
}

/**
 * Counts a day of some properties of one organization into rows of their own, which nobody reads before the run is made known. Each table
 * from the hits themselves: another replica may not have yet what was written a moment ago.
 */
export async function countInto(
  warehouse: Warehouse,
  run: number,
  organizationId: string,
  attributionIds: readonly string[],
  day: number,
): Promise<void> {
  const params = { organization: organizationId, properties: attributionIds, day: dateOf(day), run };
  for (const table of DAILY_TABLES) {
    const sql = `${dailyInsert(table)}
FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id IN {properties:Array(UUID)}
  AND ${stretches([day])} AND h.class IN (${table.classes.map((name) => `'${name}'`).join(', ')})
GROUP BY ${dailyGroup(table)}`;
    await warehouse.command({ sql, params, settings: RUN_SETTINGS }, 'report');
  }
}

/** Removes rows of runs that no day is read of. @param leftovers at most some hundreds */
export async function removeRuns(
  warehouse: Warehouse,
  leftovers: readonly { readonly run: number; readonly attributionId: string }[],
): Promise<void> {
  // Pairs can't be parameters of the embedded twin; both halves are ours, and checked to be what they should.
  const pairs = leftovers.map(({ run, attributionId }) => {
    if (!Number.isSafeInteger(run) || !/^[0-9a-f-]{36}$/.test(attributionId))
      throw new TypeError('Not the rows of a run');
    return `(toUUID('${attributionId}'), ${run})`;
  });
  if (pairs.length === 0) return;
  for (const { name } of DAILY_TABLES) {
    const sql = `DELETE FROM ${name} WHERE (attribution_id, run) IN (${pairs.join(', ')})`;
    await warehouse.command({ sql, settings: { lightweight_deletes_sync: 1 } }, 'report');
  }
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
