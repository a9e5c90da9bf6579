/**
 * Single visits, as they are stored: a page of them by keyset, their count over time, and the values of a column. Pages read hits in the
 * order of their key and stop when they have enough; counts read daily rows where those have all that is asked for.
 */
import type { StoredHit } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { ServiceError } from '../../common/index.ts';
import { exceptionCode } from '../errors.ts';
import { IS_HIT } from '../hits.ts';
import { NUMBERS_AS_NUMBERS, selectList } from '../row.ts';
import type { Warehouse } from '../warehouse.ts';
import { DAILY_TABLES } from './daily-tables.ts';
import { dayOfHit } from './days.ts';
import { askFacts, type FactsPlan, facts, REPORT_SETTINGS, type ReportQuery } from './facts.ts';
import {
  columnsOf,
  countedClassesOf,
  type VisitFilter,
  visitConditions,
  visitParams,
} from './visit-filter.ts';

export interface VisitQuery {
  /** Its days are all kept as single visits. */
  readonly plan: FactsPlan;
  readonly filter: VisitFilter;
  /** Epoch milliseconds, `to` is not included. */
  readonly from: number;
  readonly to: number;
  /** They are the beginning and the end of the plan's days. */
  readonly isWholeDays: boolean;
}

const VISIT_COLUMNS = [
  ...(['id', 'at', 'received_at', 'class', 'bot_name', 'vendor', 'intent', 'verified'] as const),
  ...([
    'verified_by',
    'verdict_reason',
    'ranges_as_of',
    'signature_agent',
    'method',
    'host',
    'path',
  ] as const),
  ...(['query_params', 'status', 'bytes', 'country', 'asn', 'user_agent', 'referrer'] as const),
  ...(['referrer_engine', 'referral_signal', 'source', 'worker_version', 'ray_id', 'waf_action'] as const),
  ...(['sample_rate', 'weight', 'other_bot', 'list_version'] as const),
] as const satisfies readonly (keyof StoredHit)[];
export type Visit = Pick<StoredHit, (typeof VISIT_COLUMNS)[number]>;

/** The place of a visit in the order of all. */
export interface VisitKey {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly id: string;
}

/** Statements that read more than this, or take longer, are refused: about 200 million narrow rows, or a quarter of a minute on two cores. */
const MOST_ROWS = 200_000_000;
const MOST_SECONDS = 15;
const LIMITS = { ...REPORT_SETTINGS, max_execution_time: MOST_SECONDS } as const;
/** TOO_MANY_ROWS, TIMEOUT_EXCEEDED, TOO_SLOW, TOO_MANY_BYTES. */
const TOO_MUCH: ReadonlySet<number | null> = new Set([158, 159, 160, 307]);
const NARROW_THE_TIME =
  'This would read too many visits. Narrow the time, or add a filter by bot, host or class.';

/** @throws ServiceError `invalid` where the question reads too much */
async function bounded<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    if (!TOO_MUCH.has(exceptionCode(error))) throw error;
    throw new ServiceError('invalid', NARROW_THE_TIME, { cause: error });
  }
}

const moment = (at: number): string => `fromUnixTimestamp64Milli(${Math.trunc(at)})`;
const SCOPE = `h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} ${IS_HIT}`;

/**
 * Older visits are read only if the newer ones were too few: the rows of one day lie in few parts, and a year's in fifty, of which each
 * costs a block of every column.
 */
const STRETCHES = [DAY_MS, 8 * DAY_MS] as const;

/**
 * The next visits after a place, in an order of time.
 * @param limit at most that many
 */
export async function visitsAfter(
  warehouse: Warehouse,
  query: VisitQuery,
  {
    after,
    order,
    limit,
  }: { readonly after: VisitKey | null; readonly order: 'asc' | 'desc'; readonly limit: number },
  signal?: AbortSignal,
): Promise<Visit[]> {
  const found: Visit[] = [];
  for (const stretch of stretchesOf(query, after, order)) {
    const wanted = limit - found.length;
    found.push(...(await read(warehouse, query, { ...stretch, after, order, limit: wanted }, signal)));
    if (found.length >= limit) break;
  }
  return found;
}

/** Consecutive stretches of time, in the order in which they are read. */
function stretchesOf({ from, to }: VisitQuery, after: VisitKey | null, order: 'asc' | 'desc') {
  // The place itself may be within the first.
  const [low, high] =
    after === null
      ? [from, to]
      : order === 'desc'
        ? [from, Math.min(to, after.at + 1)]
        : [Math.max(from, after.at), to];
  if (low >= high) return [];
  const lengths = [...STRETCHES.filter((length) => length < high - low), high - low];
  const borders = [0, ...lengths];
  return lengths.map((length, index) => {
    const before = borders[index] ?? 0;
    return order === 'desc'
      ? { from: high - length, to: high - before }
      : { from: low + before, to: low + length };
  });
}

async function read(
  warehouse: Warehouse,
  { plan, filter }: VisitQuery,
  {
    from,
    to,
    after,
    order,
    limit,
  }: {
    readonly from: number;
    readonly to: number;
    readonly after: VisitKey | null;
    readonly order: 'asc' | 'desc';
    readonly limit: number;
  },
  signal: AbortSignal | undefined,
): Promise<Visit[]> {
  const [sign, words] = order === 'desc' ? ['<', 'DESC'] : ['>', 'ASC'];
  const rows = warehouse.rows<Visit>(
    'report',
    {
      sql: `SELECT ${selectList(VISIT_COLUMNS)} FROM hits AS h
WHERE ${SCOPE} AND h.at >= ${moment(from)} AND h.at < ${moment(to)}
  AND ${visitConditions(filter, 'h')}
  ${after === null ? '' : `AND (h.at, h.id) ${sign} (${moment(after.at)}, {after:UUID})`}
ORDER BY h.attribution_id ${words}, h.at ${words}, h.id ${words}
LIMIT {limit:UInt32}`,
      params: {
        ...scopeOf(plan),
        ...visitParams(filter),
        ...(after === null ? {} : { after: after.id }),
        limit,
      },
      settings: LIMITS,
    },
    signal,
  );
  return await bounded(rows);
}

const scopeOf = ({ organizationId, attributionId }: FactsPlan) => ({
  organization: organizationId,
  property: attributionId,
});

/** A unit of the chart. */
export type VisitStep = 'minute' | 'hour' | 'day';
const STEP_MS = { minute: 60_000, hour: 3_600_000 } as const;

/** Visits of one bar. `hits` are rows; `weight` is for how many visits they stand. */
export interface VisitCount {
  /** Of a day: its number, counted from 1970. Of the others: how many steps after the first. */
  readonly bar: number;
  readonly hits: number;
  readonly weight: number;
  /** Rows that stand for several visits each. */
  readonly samples: number;
  readonly verified: number;
  readonly spoofed: number;
  readonly unknown: number;
  /** Made up to try a connection. */
  readonly tests: number;
}

/** @param step the first bar of minutes or hours begins at `start`, epoch milliseconds */
export async function visitCounts(
  warehouse: Warehouse,
  query: VisitQuery,
  { unit, start }: { readonly unit: VisitStep; readonly start: number },
  signal?: AbortSignal,
): Promise<VisitCount[]> {
  const bar =
    unit === 'day'
      ? 'toUInt32(f.day)'
      : `toUInt32(intDiv(toUnixTimestamp64Milli(f.at) - ${start}, ${STEP_MS[unit]}))`;
  const time = unit === 'day' ? 'day' : 'at';
  const isJudged = "f.class IN ('ai_bot', 'search_engine')";
  const { sql, isRaw } = relation(query, [time, 'class', 'verified', 'hits', 'weight', 'estimated']);
  // Each raw hit is one: counting takes less than adding up ones.
  const rows = (condition: string) => (isRaw ? `countIf(${condition})` : `sumIf(f.hits, ${condition})`);
  // Daily rows know no such class.
  const tests = query.filter.classes.includes('test') ? rows("f.class = 'test'") : 'toUInt64(0)';
  return await ask<VisitCount>(
    warehouse,
    query,
    `SELECT ${bar} AS bar, ${isRaw ? 'count()' : 'sum(f.hits)'} AS hits, sum(f.weight) AS weight, ${rows('f.estimated > 0')} AS samples,
  ${rows(`${isJudged} AND f.verified = true`)} AS verified,
  ${rows(`${isJudged} AND f.verified = false`)} AS spoofed,
  ${rows(`${isJudged} AND f.verified IS NULL`)} AS unknown, ${tests} AS tests
FROM ${sql}
WHERE ${visitConditions(query.filter, 'f')}
GROUP BY bar ORDER BY bar LIMIT 1000`,
    signal,
  );
}

/** What the explorer offers values of, and the filter that each is the value of. */
export const VISIT_VALUES = {
  bot: { column: 'bot_name', own: ['bot'] },
  vendor: { column: 'vendor', own: ['vendor'] },
  intent: { column: 'intent', own: ['intent'] },
  verdict_reason: { column: 'verdict_reason', own: ['verdict_reason'] },
  verified_by: { column: 'verified_by', own: ['verified_by'] },
  host: { column: 'host', own: ['host'] },
  status: { column: 'status', own: ['statuses'] },
  country: { column: 'country', own: ['country'] },
  asn: { column: 'asn', own: ['asn'] },
  source: { column: 'source', own: ['sources'] },
  version: { column: 'worker_version', own: ['version'] },
  engine: { column: 'referrer_engine', own: ['engine'] },
} as const satisfies Record<string, { column: string; own: readonly (keyof VisitFilter)[] }>;
export type VisitValue = keyof typeof VISIT_VALUES;

/** The values that occur under all other filters, with their rows; most first, empty ones left out. Of networks the unknown one, 0, is a value too. */
export async function visitValues(
  warehouse: Warehouse,
  query: VisitQuery,
  of: VisitValue,
  limit: number,
  signal?: AbortSignal,
): Promise<{ readonly value: string; readonly hits: number }[]> {
  const { column, own } = VISIT_VALUES[of];
  const filter = Object.fromEntries(
    Object.entries(query.filter).filter(([name]) => !own.some((one) => one === name)),
  ) as unknown as VisitFilter;
  const others = { ...query, filter };
  return await ask(
    warehouse,
    others,
    `SELECT toString(f.${column}) AS value, sum(f.hits) AS hits
FROM ${relation(others, ['class', column, 'hits']).sql}
WHERE ${visitConditions(filter, 'f')} AND value NOT IN (${column === 'asn' ? "''" : "'', '0'"})
GROUP BY value ORDER BY hits DESC, value LIMIT ${Math.trunc(limit)}`,
    signal,
  );
}

/** Kept for spoofed visits alone, or not at all, in the rows of closed days. */
const ONLY_RAW: ReadonlySet<string> = new Set(['asn', 'user_agent', 'at']);
const OF_CLOSED_DAYS: ReadonlySet<string> = new Set(
  DAILY_TABLES.flatMap(({ keys, measures }) => [...keys, ...measures, 'day']),
);
const AS_FACTS: Readonly<Record<string, string>> = {
  hits: 'toUInt64(1)',
  estimated: 'if(h.sample_rate > 0 AND h.sample_rate < 1, h.weight, 0.)',
};

/** The visits as a relation `f`: from daily rows where those say it, else from the hits themselves alone. */
function relation(
  query: VisitQuery,
  asked: readonly string[],
): { readonly sql: string; readonly isRaw: boolean } {
  const { plan, filter, from, to, isWholeDays } = query;
  const columns = [...new Set([...asked, ...columnsOf(filter)])];
  const classes = countedClassesOf(filter);
  if (
    isWholeDays &&
    classes !== null &&
    classes.length > 0 &&
    columns.every((name) => OF_CLOSED_DAYS.has(name) && !ONLY_RAW.has(name))
  )
    return { sql: facts(columns, factsQuery(query), classes), isRaw: false };
  const days = Array.from({ length: plan.to - plan.from + 1 }, (_, index) => plan.from + index);
  const selected = columns.map((name) => {
    const sql = name === 'day' ? dayOfHit(days, plan.startOf) : (AS_FACTS[name] ?? `h.${name}`);
    return `${sql} AS ${name}`;
  });
  const sql = `(SELECT ${selected.join(', ')} FROM hits AS h
  WHERE ${SCOPE} AND h.at >= ${moment(from)} AND h.at < ${moment(to)}) AS f`;
  return { sql, isRaw: true };
}

/** The filter is applied outside of the facts, which know fewer. */
const factsQuery = ({ plan }: VisitQuery): ReportQuery => ({ plan, filter: {}, population: 'all' });

async function ask<Row>(
  warehouse: Warehouse,
  query: VisitQuery,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  const settings = { ...LIMITS, ...NUMBERS_AS_NUMBERS, max_rows_to_read: MOST_ROWS };
  return await bounded(
    askFacts<Row>(warehouse, factsQuery(query), sql, signal, visitParams(query.filter), settings),
  );
}
