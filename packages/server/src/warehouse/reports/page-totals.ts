/** What the rows of a list of pages add up to. */
import type { Warehouse } from '../warehouse.ts';
import { BOT_NUMBERS, dayByDay, earlier, FIRST, LAST } from './aggregates.ts';
import { askFacts, facts, IN_PERIOD, type ReportQuery } from './facts.ts';
import {
  COMPARED_HITS,
  COUNTED,
  estimatedSpoofed,
  FIGURE_COLUMNS,
  FIGURES,
  type Figures,
  IS_READ,
  KIND_COLUMNS,
  ofNow,
  PREVIOUS_HITS,
  READ,
  spoofedWhere,
} from './measures.ts';
import {
  BOT_PAGE,
  inItsPeriod,
  OF_KIND,
  PAGE_NUMBER,
  type PathKind,
  type RowNumber,
  readBy,
} from './path-kinds.ts';
import { type Lost, type ReadPaths, readPaths } from './read-paths.ts';
import { readSlices } from './slices.ts';

export interface PageTotals extends Figures {
  readonly bots: number;
  readonly pages: number;
  readonly files: number;
  readonly previous_hits: number;
  readonly compared_hits: number;
  readonly days: readonly number[];
}

/** Of `PageTotals`, what can be taken away again. */
const { first_at: _first, last_at: _last, ...SUMS } = FIGURES;
/** And of that, what the population has. */
const { spoofed: _spoofed, estimated_spoofed: _estimated, ...OF_POPULATION } = SUMS;
const ADDED_UP = { ...OF_POPULATION, previous_hits: PREVIOUS_HITS, compared_hits: COMPARED_HITS } as const;
/** What can't be taken away: it is added to what those that were read have. */
interface Seen {
  readonly first_at: number;
  readonly last_at: number;
  readonly bot_numbers: readonly string[];
}
type Sums = Readonly<Record<keyof typeof ADDED_UP, number>> & { readonly days: readonly number[] };
type Failed = Sums & Seen & { readonly was_read: number };
/** Of the population alone: spoofed visits are a separate figure, whatever they read. */
const SUMMED_COLUMNS = [...FIGURE_COLUMNS.filter((name) => name !== 'counted'), 'bot_name'];

/** Differences of sums of weights: what is nothing is not quite nothing. */
const less = (sum: number, part: number): number => Math.round((sum - part) * 1e6) / 1e6;

/**
 * What the rows of a list add up to, and how many pages and files were read whatever is listed. Most of it is in the rows without pages,
 * by kind; what was never read is taken off, and the failed visits to what was read are added where nothing can be taken off: both are found
 * among the visits that failed, a few of a hundred. Where everything was read, nothing is asked of those.
 * @param group by which rows are told apart
 * @param paths of the kind and group
 */
export async function pageTotals(
  warehouse: Warehouse,
  query: ReportQuery,
  kind: PathKind,
  group: 'page' | 'folder' | 'bot_page',
  signal?: AbortSignal,
  paths: Promise<ReadPaths> = readPaths(warehouse, query, kind, group, signal),
): Promise<PageTotals> {
  const number = group === 'bot_page' ? BOT_PAGE : PAGE_NUMBER;
  const [row, { pages, files, failed, unread }] = await Promise.all([
    visitsOfKind(warehouse, query, kind, signal),
    paths.then(async ({ lost, unread: of, ...counts }) => {
      if (lost === 'many' && of === 'many' && query.filter.verified !== 'false')
        return { ...counts, ...(await failedAndSpoofed(warehouse, query, kind, number, signal)) };
      const [failed, unread] = await Promise.all([
        lost === 'none' ? null : failedVisits(warehouse, query, kind, { number, lost }, signal),
        of === 'none' ? NO_SPOOFED : spoofedOfUnread(warehouse, query, kind, { number, unread: of }, signal),
      ]);
      return { ...counts, failed, unread };
    }),
  ]);
  const { all_first_at, all_last_at, all_bot_numbers, bot_numbers, first_at, last_at, ...sums } = row;
  const whole = {
    ...sums,
    ...{ pages, files },
    spoofed: less(row.spoofed, unread.spoofed),
    estimated_spoofed: less(row.estimated_spoofed, unread.estimated_spoofed),
  };
  if (failed === null)
    return { ...whole, first_at: all_first_at, last_at: all_last_at, bots: all_bot_numbers.length };
  const lost = failed.find(({ was_read: wasRead }) => wasRead === 0);
  const besides = failed.find(({ was_read: wasRead }) => wasRead === 1);
  const names = Object.keys(ADDED_UP) as (keyof typeof ADDED_UP)[];
  const rest = Object.fromEntries(names.map((name) => [name, less(row[name], lost?.[name] ?? 0)]));
  return {
    ...whole,
    ...(rest as Omit<Sums, 'days'>),
    first_at: earlier(first_at, besides?.first_at ?? 0),
    last_at: Math.max(last_at, besides?.last_at ?? 0),
    bots: new Set([...bot_numbers, ...(besides?.bot_numbers ?? [])]).size,
    days: row.days.map((sum, index) => less(sum, lost?.days[index] ?? 0)),
  };
}

type AllSeen = { readonly [Name in keyof Seen as `all_${Name}`]: Seen[Name] };

/** Of every path of a kind, read or not. `Seen` is of answers that were read, `all_…` of all. */
async function visitsOfKind(
  warehouse: Warehouse,
  query: ReportQuery,
  kind: PathKind,
  signal: AbortSignal | undefined,
): Promise<Sums & Spoofed & Seen & AllSeen> {
  const measures = {
    ...SUMS,
    ...ADDED_UP,
    first_at: ofNow(FIRST, READ),
    last_at: ofNow(LAST, READ),
    bot_numbers: ofNow(BOT_NUMBERS, READ),
    all_first_at: FIGURES.first_at,
    all_last_at: FIGURES.last_at,
    all_bot_numbers: ofNow(BOT_NUMBERS),
    days: { of: dayByDay(query), where: COUNTED },
  };
  const relation = facts([...FIGURE_COLUMNS, 'bot_name', 'asset'], query, ['ai_bot']);
  const from = `FROM ${relation} WHERE ${OF_KIND[kind]}`;
  const [row] = await readSlices<Sums & Spoofed & Seen & AllSeen>(
    warehouse,
    query,
    { keys: {}, measures, from },
    signal,
  );
  if (row === undefined) throw new Error('What has no keys is one row');
  return row;
}

/** Visits of the population that failed, in two rows: those to what was read in their period, and those to what was not. */
async function failedVisits(
  warehouse: Warehouse,
  query: ReportQuery,
  kind: PathKind,
  { number: { sql, reads }, lost }: { readonly number: RowNumber; readonly lost: Lost | 'many' },
  signal: AbortSignal | undefined,
): Promise<Failed[]> {
  const columns = [...reads, ...KIND_COLUMNS];
  const of = (read: readonly string[]) => facts([...new Set([...read, ...columns])], query, ['ai_bot']);
  const key = inItsPeriod(query, sql);
  const failed = `NOT ${IS_READ} AND ${OF_KIND[kind]}`;
  const wasRead =
    lost === 'many'
      ? `${key} IN (${readBy(query, kind, { sql, reads }, key)})`
      : `NOT if(${IN_PERIOD}, f.page IN {lost_now:Array(UInt64)}, f.page IN {lost_before:Array(UInt64)})`;
  return await readSlices<Failed>(
    warehouse,
    query,
    {
      keys: WAS_READ,
      measures: measuresOfFailed(query),
      from: `FROM (
  SELECT *, toUInt8(${wasRead}) AS was_read FROM ${of(SUMMED_COLUMNS)} WHERE ${failed}
) AS f`,
    },
    signal,
    lost === 'many' ? {} : { lost_now: lost.now.map(BigInt), lost_before: lost.before.map(BigInt) },
  );
}

const WAS_READ = { was_read: 'f.was_read' } as const;
const measuresOfFailed = (query: ReportQuery) => ({
  ...ADDED_UP,
  first_at: FIGURES.first_at,
  last_at: FIGURES.last_at,
  bot_numbers: ofNow(BOT_NUMBERS),
  days: { of: dayByDay(query), where: COUNTED },
});

/**
 * `failedVisits` and `spoofedOfUnread` in one, where neither knows numbers: both tell all rows apart, which takes most of their time. Not
 * where spoofed visits alone are asked for.
 */
async function failedAndSpoofed(
  warehouse: Warehouse,
  query: ReportQuery,
  kind: PathKind,
  { sql, reads }: RowNumber,
  signal: AbortSignal | undefined,
): Promise<{ readonly failed: Failed[]; readonly unread: Spoofed }> {
  const key = inItsPeriod(query, sql);
  const relation = (columns: readonly string[]) =>
    facts([...new Set([...columns, ...reads, ...KIND_COLUMNS, 'counted'])], query, ['ai_bot']);
  // What the population never read, and by another number what no visit read, which is less.
  const neverRead = `SELECT arrayJoin(if(by_any = 0, [key, bitRotateLeft(key, 1)], [key])) FROM (
    SELECT ${key} AS key, countIf(${IS_READ}) AS by_any FROM ${relation([])}
    WHERE ${OF_KIND[kind]} GROUP BY key HAVING countIf(f.counted AND ${IS_READ}) = 0)`;
  const rows = await readSlices<Failed & Spoofed>(
    warehouse,
    query,
    {
      keys: WAS_READ,
      measures: {
        ...measuresOfFailed(query),
        spoofed: spoofedWhere({}),
        estimated_spoofed: estimatedSpoofed({}),
      },
      from: `FROM (
  SELECT *, toUInt8(if(f.counted, ${key}, bitRotateLeft(${key}, 1)) NOT IN (${neverRead})) AS was_read
  FROM ${relation(SUMMED_COLUMNS)} WHERE NOT ${IS_READ} AND ${OF_KIND[kind]}
) AS f`,
    },
    signal,
  );
  const { spoofed, estimated_spoofed } = rows.find(({ was_read: wasRead }) => wasRead === 0) ?? NO_SPOOFED;
  return { failed: rows, unread: { spoofed, estimated_spoofed } };
}

type Spoofed = Pick<PageTotals, 'spoofed' | 'estimated_spoofed'>;
const NO_SPOOFED: Spoofed = { spoofed: 0, estimated_spoofed: 0 };

/**
 * Spoofed visits of the period to what no visit read, genuine or spoofed: neither a page nor a file. The figure is the same whether or not
 * spoofed visits are counted, and whichever verdict is asked for.
 */
async function spoofedOfUnread(
  warehouse: Warehouse,
  query: ReportQuery,
  kind: PathKind,
  { number, unread }: { readonly number: RowNumber; readonly unread: readonly string[] | 'many' },
  signal: AbortSignal | undefined,
): Promise<Spoofed> {
  const { verified, ...filter } = query.filter;
  if (verified !== undefined && verified !== 'false') return NO_SPOOFED;
  const everyone: ReportQuery = { ...query, population: 'all', filter };
  const failed = `${IN_PERIOD} AND f.verified = false AND NOT ${IS_READ} AND ${OF_KIND[kind]}`;
  const columns = [...new Set([...number.reads, ...KIND_COLUMNS, 'verified'])];
  const candidates = `${number.sql} IN (SELECT ${number.sql} FROM ${facts(columns, everyone, ['ai_bot'])} WHERE ${failed})`;
  const isUnread =
    unread === 'many'
      ? `${number.sql} NOT IN (${readBy(everyone, kind, number)} AND ${IN_PERIOD} AND ${candidates})`
      : 'f.page IN {unread:Array(UInt64)}';
  const relation = facts([...columns, 'weight', 'estimated'], everyone, ['ai_bot'], {
    ofFewPages: unread !== 'many',
  });
  const [row] = await askFacts<Spoofed>(
    warehouse,
    everyone,
    `SELECT sum(f.weight) AS spoofed, sum(f.estimated) AS estimated_spoofed
FROM ${relation} WHERE ${failed} AND ${isUnread}`,
    signal,
    unread === 'many' ? {} : { unread: unread.map(BigInt) },
  );
  return row ?? NO_SPOOFED;
}
