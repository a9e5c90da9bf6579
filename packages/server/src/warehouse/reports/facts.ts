/**
 * What every report reads: closed days from their daily rows, the others from raw hits, as one relation `f` with one set of columns. A
 * report is a GROUP BY over it, so that it can't tell (and no test may find) where a day came from.
 */

import { NUMBERS_AS_NUMBERS } from '../row.ts';
import type { Warehouse } from '../warehouse.ts';
import { isAsset } from './assets.ts';

/** Days are counted from 1970-01-01 in UTC, as ClickHouse's `Date` does. */
export const DAY_MS = 86_400_000;

/** Which days of which property, and where each is read from. */
export interface FactsPlan {
  readonly organizationId: string;
  readonly attributionId: string;
  /** The period, both inside. */
  readonly from: number;
  readonly to: number;
  /** First day of the period to compare with, which ends before `from`; null: nothing is compared. */
  readonly previousFrom: number | null;
  /** Runs of `daily_bot_pages`, one for each closed day that has hits. At most 800. */
  readonly runs: readonly number[];
  /** Days that are read from raw hits, ascending. At most 800. */
  readonly rawDays: readonly number[];
}

/** `bot` to `verified` are about AI bots, the rest about every visit. */
export interface FactsFilter {
  /** In any letter case, as `vendor` and `host`. */
  readonly bot?: string;
  readonly vendor?: string;
  readonly intent?: 'training' | 'search' | 'on_demand' | 'other';
  readonly verified?: 'true' | 'false' | 'unknown';
  /** The path's beginning. */
  readonly path?: string;
  /** A path whole. */
  readonly page?: string;
  readonly host?: string;
  /** Two upper-case letters. */
  readonly country?: string;
}

/** What a report is asked. */
export interface Question {
  readonly plan: FactsPlan;
  readonly filter: FactsFilter;
}

/** Dimensions: the same name and meaning in both tables, except where the raw form says otherwise. */
const DIMENSIONS = [
  ...['source', 'class', 'bot_name', 'vendor', 'engine', 'intent', 'verified', 'verified_by'],
  ...['referrer_engine', 'referral_signal', 'host', 'path', 'status', 'country', 'sample_rate'],
  ...['other_bot', 'worker_version'],
] as const;

/** Column → how a raw hit says it, where it says it otherwise. A network counts where somebody pretends; kept for all it would be most of the rows. */
const OF_A_HIT: Readonly<Record<string, string>> = {
  day: 'toDate(h.at)',
  asset: isAsset('h.path'),
  asn: "if(h.class = 'ai_bot' AND h.verified = false, h.asn, toUInt32(0))",
  hits: 'toUInt64(1)',
  bytes: 'h.bytes * h.weight',
  first_at: 'h.at',
  last_at: 'h.at',
  last_received_at: 'h.received_at',
};

/** Added up by a run; `OF_A_HIT` is what is added. */
const MEASURES: Readonly<Record<string, string>> = {
  hits: 'count()',
  weight: 'sum(h.weight)',
  bytes: 'sum(h.bytes * h.weight)',
  first_at: 'min(h.at)',
  last_at: 'max(h.at)',
  last_received_at: 'max(h.received_at)',
};
const KEYS: readonly string[] = [...DIMENSIONS, 'asset', 'asn'];

export type FactColumn = string;

export type FactClass = 'ai_bot' | 'ai_referral' | 'sample';

const ofHit = (column: FactColumn): string => OF_A_HIT[column] ?? `h.${column}`;

/** The SELECT that a run stores: keys and measures of `hits AS h`. */
export const DAILY_COLUMNS: readonly string[] = [...KEYS, ...Object.keys(MEASURES)];
export const dailySelect = (): string =>
  [
    ...KEYS.map((key) => `${ofHit(key)} AS k_${key}`),
    ...Object.entries(MEASURES).map(([name, sql]) => `${sql} AS m_${name}`),
  ].join(',\n  ');
export const dailyGroup = (): string => KEYS.map((key) => `k_${key}`).join(', ');

/**
 * The relation, in brackets. Only the named columns are read.
 * @param classes whose hits; filters on bots are applied where AI bots alone are read
 */
export function facts(
  columns: readonly FactColumn[],
  { plan, filter }: Question,
  classes: readonly FactClass[],
): string {
  const where = `h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID}
    AND h.class IN (${classes.map((name) => `'${name}'`).join(', ')})${conditions(filter, classes)}`;
  const names = ['day', ...columns.filter((name) => name !== 'day')];
  const daily = `SELECT ${names.map((name) => `h.${name} AS ${name}`).join(', ')}
  FROM daily_bot_pages AS h WHERE ${where} AND h.day >= {first:Date} AND h.day <= {to:Date} AND h.run IN {runs:Array(UInt64)}`;
  const raw = `SELECT ${names.map((name) => `${ofHit(name)} AS ${name}`).join(', ')}
  FROM hits AS h WHERE ${where} AND (${stretches(plan.rawDays)})`;
  const halves = [
    ...(plan.runs.length > 0 ? [daily] : []),
    ...(plan.rawDays.length > 0 ? [raw] : []),
    // Nothing was ever seen: a relation without rows, so that sums are sums.
    ...(plan.runs.length + plan.rawDays.length === 0 ? [`${raw.replace(/AND \(.*\)$/, 'AND false')}`] : []),
  ];
  return `(${halves.join('\n  UNION ALL\n  ')}) AS f`;
}

function conditions(filter: FactsFilter, classes: readonly FactClass[]): string {
  const parts = [
    filter.path === undefined ? '' : 'startsWith(h.path, {path:String})',
    filter.page === undefined ? '' : 'h.path = {page:String}',
    filter.host === undefined ? '' : 'h.host = lower({host:String})',
    filter.country === undefined ? '' : 'h.country = {country:String}',
    ...(classes.every((name) => name === 'ai_bot') ? botConditions(filter, 'h') : []),
  ].filter((part) => part !== '');
  return parts.map((part) => `\n    AND ${part}`).join('');
}

const VERDICTS = { true: 'verified = true', false: 'verified = false', unknown: 'verified IS NULL' } as const;

/** What a filter asks of AI bots, as conditions on a relation. */
export function botConditions({ bot, vendor, intent, verified }: FactsFilter, relation: string): string[] {
  return [
    bot === undefined ? '' : `lowerUTF8(${relation}.bot_name) = lowerUTF8({bot:String})`,
    vendor === undefined ? '' : `lowerUTF8(${relation}.vendor) = lowerUTF8({vendor:String})`,
    intent === undefined ? '' : `${relation}.intent = {intent:String}`,
    verified === undefined ? '' : `${relation}.${VERDICTS[verified]}`,
  ].filter((part) => part !== '');
}

/** Days as stretches of the sorting key: a late day far back must not make the engine read all that lies between. */
export function stretches(days: readonly number[]): string {
  const ends: [number, number][] = [];
  for (const day of days) {
    const last = ends.at(-1);
    if (last !== undefined && last[1] === day) last[1] = day + 1;
    else ends.push([day, day + 1]);
  }
  return ends
    .map(
      ([from, to]) =>
        `(h.at >= fromUnixTimestamp64Milli(${from * DAY_MS}) AND h.at < fromUnixTimestamp64Milli(${to * DAY_MS}))`,
    )
    .join(' OR ');
}

/** Hits of the period itself, where the one before it is read too. */
export const NOW = 'f.day >= {from:Date}';

const factsParams = ({ plan, filter }: Question): Record<string, unknown> => ({
  organization: plan.organizationId,
  property: plan.attributionId,
  first: dateOf(plan.previousFrom ?? plan.from),
  from: dateOf(plan.from),
  to: dateOf(plan.to),
  runs: plan.runs,
  ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
});

/** `YYYY-MM-DD` of a day. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A report may not keep a connection for long, nor take the memory that inserts need. */
const REPORT_SETTINGS = {
  ...NUMBERS_AS_NUMBERS,
  max_execution_time: 30,
  max_memory_usage: 1024 * 1024 * 1024,
} as const;

/** Asks; every query of a report goes through here. */
export async function askFacts<Row>(
  warehouse: Warehouse,
  question: Question,
  sql: string,
  signal?: AbortSignal,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> {
  return await warehouse.rows<Row>(
    'report',
    { sql, params: { ...factsParams(question), ...params }, settings: REPORT_SETTINGS },
    signal,
  );
}
