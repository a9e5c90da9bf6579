/**
 * The rule by which paths are files grows. Tables with a path follow it by a step of the schema; `daily_totals` has none, so days that were
 * counted before keep the rule of then. They are added up again from the rows of the same run that have paths: no raw hit is needed for that.
 */
import { createHash } from 'node:crypto';
import { dateOf } from '../../common/index.ts';
import { NUMBERS_AS_NUMBERS } from '../row.ts';
import type { Warehouse } from '../warehouse.ts';
import { isAsset } from './assets.ts';
import { DAILY_TABLES, dailyAgain } from './daily-tables.ts';

const SETTINGS = {
  ...NUMBERS_AS_NUMBERS,
  max_execution_time: 280,
  max_memory_usage: 1024 * 1024 * 1024,
  max_bytes_before_external_group_by: 400 * 1024 * 1024,
} as const;
/** Days of properties in a month: three thousand properties. */
const MAX_RUNS = 100_000;

/** Names the rule as it is now. */
export const fileRule = (): string => createHash('sha256').update(isAsset('path')).digest('hex').slice(0, 16);

/** Months of which daily rows are kept, `YYYYMM`, newest first. */
export async function countedMonths(warehouse: Warehouse): Promise<number[]> {
  const rows = await warehouse.rows<{ month: number }>('report', {
    sql: 'SELECT DISTINCT toYYYYMM(day) AS month FROM daily_totals ORDER BY month DESC LIMIT 1000',
    settings: SETTINGS,
  });
  return rows.map(({ month }) => month);
}

/** A day of a property as one run counted it. */
export interface CountedRun {
  readonly organizationId: string;
  readonly attributionId: string;
  readonly day: number;
  readonly run: number;
}

/** Runs of a month whose totals are by another rule, whether or not a day is read of them; newest day first. Not bound to a scope: a job alone asks. */
export async function runsOfOtherRule(warehouse: Warehouse, month: number): Promise<CountedRun[]> {
  const part = (table: string, totals: string, paths: string) =>
    `SELECT organization_id, attribution_id, day, run, ${totals} AS of_totals, ${paths} AS of_paths
    FROM ${table} WHERE toYYYYMM(day) = {month:UInt32} GROUP BY organization_id, attribution_id, day, run`;
  const rows = await warehouse.rows<{ organization: string; property: string; day: number; run: number }>(
    'report',
    {
      sql: `SELECT organization_id AS organization, attribution_id AS property, toUInt32(day) AS day, run FROM (
  ${part('daily_totals', "sumIf(hits, asset AND class != 'counted')", 'toUInt64(0)')}
  UNION ALL ${part('daily_bot_pages', 'toUInt64(0)', `sumIf(hits, ${isAsset('path')})`)}
) GROUP BY organization, property, day, run HAVING sum(of_totals) != sum(of_paths)
ORDER BY day DESC, organization, property LIMIT ${MAX_RUNS}`,
      params: { month },
      settings: SETTINGS,
    },
  );
  return rows.map(({ organization, property, day, run }) => ({
    ...{ organizationId: organization, attributionId: property, day, run },
  }));
}

/** Adds up a run's rows of a day into rows of another run, by the rule of now. @param attributionIds properties of one organization, at most some hundreds */
export async function countAgain(
  warehouse: Warehouse,
  { of, run }: { readonly of: number; readonly run: number },
  organizationId: string,
  attributionIds: readonly string[],
  day: number,
): Promise<void> {
  const params = { organization: organizationId, properties: attributionIds, day: dateOf(day), of, run };
  for (const table of DAILY_TABLES) {
    const from = `FROM daily_bot_pages AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id IN {properties:Array(UUID)} AND h.day = {day:Date}
  AND h.run = {of:UInt64} AND h.class IN (${table.classes.map((name) => `'${name}'`).join(', ')})`;
    const sql = dailyAgain(table, '{run:UInt64}', from);
    await warehouse.command({ sql, params, settings: SETTINGS }, 'report');
  }
}
