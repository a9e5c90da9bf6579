/** What AI bots read: pages, folders, and which bot reads which page. */
import type { Warehouse } from '../warehouse.ts';
import { askFacts, facts, IN_PERIOD, NOW, type ReportQuery } from './facts.ts';
import { type ListSpec, text } from './list.ts';
import {
  BOTS,
  BY_INTENT,
  type ByIntent,
  CHANGE,
  COMPARED_HITS,
  dayByDay,
  ESTIMATED,
  ESTIMATED_BY_INTENT,
  type EstimatedByIntent,
  FIGURE_COLUMNS,
  FIGURES,
  FILES,
  type Figures,
  HITS,
  IS_FILE,
  IS_PAGE,
  IS_READ,
  KIND_COLUMNS,
  PAGES,
  PREVIOUS_HITS,
  READS,
  selected,
} from './measures.ts';

/**
 * Pages, files, or every path that was asked for. A page or a file is one that was read: what was never answered well is neither, and
 * stands among the failures.
 */
export const PATH_KINDS = ['page', 'file', 'all'] as const;
export type PathKind = (typeof PATH_KINDS)[number];

/** What of single facts is of a kind by its path; what was read of it, its row says. */
const OF_KIND: Readonly<Record<PathKind, string>> = { page: IS_PAGE, file: IS_FILE, all: 'true' };
const ONLY_READ: Readonly<Record<PathKind, string>> = {
  page: `${READS} > 0`,
  file: `${READS} > 0`,
  all: 'true',
};

interface Compared {
  readonly previous_hits: number;
  readonly compared_hits: number;
  readonly change: number | null;
  /** Not in files. */
  readonly days?: readonly number[];
}
interface Read {
  /** Rows of visits that were answered well; 0: it was only asked for. */
  readonly reads: number;
}
export interface PageRow extends Figures, ByIntent, EstimatedByIntent, Compared, Read {
  readonly host: string;
  readonly path: string;
  readonly bots: number;
}
export interface BotPageRow extends Figures, Compared, Read {
  readonly host: string;
  readonly path: string;
  readonly bot: string;
  readonly vendor: string;
  readonly intent: string;
}
export interface FolderRow extends Figures, ByIntent, EstimatedByIntent, Compared, Read {
  readonly folder: string;
  /** 1: all that lies below; 0: a page or a file. */
  readonly is_folder: number;
  /** 0 where the list is of the other kind. */
  readonly pages: number;
  readonly files: number;
  readonly bots: number;
}

const PAGE = { host: text('any(f.host)'), path: text('any(f.path)') } as const;
const COLUMNS = [...FIGURE_COLUMNS, 'host', 'path', 'page', 'asset', 'bot_name', 'intent'];
const COMMON = {
  classes: ['ai_bot'],
  compares: true,
  derived: { change: CHANGE, errors: 'client_errors + server_errors' },
} as const;
const SORTS = { hits: 'hits', last_seen: 'last_at', errors: 'errors', change: 'change' } as const;

const COMPARED = { previous_hits: PREVIOUS_HITS, compared_hits: COMPARED_HITS, reads: READS } as const;

/** What makes a list one of a kind: paths by themselves, and what was read by the rows, which are one path each. */
const ofKind = (kind: PathKind) =>
  ({
    where: OF_KIND[kind],
    having: `hits > 0 AND ${ONLY_READ[kind]}`,
    ranks: {
      hits: {
        reads: kind === 'all' ? [] : KIND_COLUMNS,
        where: OF_KIND[kind],
        having: ONLY_READ[kind],
        measure: HITS,
      },
    },
  }) as const;

export const pageList = (kind: PathKind): ListSpec => ({
  ...COMMON,
  ...ofKind(kind),
  reads: COLUMNS,
  keys: PAGE,
  by: { page: 'f.page' },
  measures: { ...FIGURES, ...BY_INTENT, ...ESTIMATED_BY_INTENT, bots: BOTS, ...COMPARED },
  sorts: { ...SORTS, path: 'path', bots: 'bots' },
});

/** As little as the first page shows of them, of whatever kind: it names what fails as well. */
export const topPageList: ListSpec = {
  classes: ['ai_bot'],
  reads: ['weight', 'estimated', 'host', 'path', 'page', 'bot_name'],
  keys: PAGE,
  by: { page: 'f.page' },
  measures: { hits: HITS, estimated: ESTIMATED, bots: BOTS },
  // No word of the period before, which the first page reads besides.
  where: NOW,
  sorts: { hits: 'hits' },
};
export type TopPageRow = Pick<PageRow, 'host' | 'path' | 'hits' | 'estimated' | 'bots'>;

export interface TopPages {
  /** Numbers of the pages with most hits, most first. */
  readonly numbers: readonly string[];
  /** Of all that were read. */
  readonly pages: number;
  readonly files: number;
}

/** The pages that were read most, and how many pages and files were: one reading for both. @param limit at most some hundred */
export async function topPages(
  warehouse: Warehouse,
  query: ReportQuery,
  limit: number,
  signal?: AbortSignal,
): Promise<TopPages> {
  const rows = await askFacts<{ number: string; is_file: number; pages: number; files: number }>(
    warehouse,
    query,
    `SELECT toString(row) AS number, toUInt8(asset) AS is_file,
  countIf(NOT asset) OVER () AS pages, countIf(asset) OVER () AS files FROM (
  SELECT f.page AS row, any(f.asset) AS asset, ${HITS} AS measure
  FROM ${facts(['weight', 'page', ...KIND_COLUMNS], query, ['ai_bot'])}
  WHERE ${NOW} GROUP BY row HAVING ${READS} > 0)
ORDER BY is_file, measure DESC, row LIMIT {limit:UInt32}`,
    signal,
    { limit },
  );
  return {
    numbers: rows.filter(({ is_file: isFile }) => isFile === 0).map(({ number }) => number),
    pages: rows[0]?.pages ?? 0,
    files: rows[0]?.files ?? 0,
  };
}

/** A row of pages by bot: both are numbers that nothing but chance could make the same. */
const BOT_PAGE = { sql: 'bitXor(f.page, f.reader)', reads: ['page', 'reader'] } as const;

export const botPageList = (kind: PathKind): ListSpec => ({
  ...COMMON,
  ...ofKind(kind),
  reads: [...COLUMNS, 'vendor', 'reader'],
  keys: {
    ...PAGE,
    bot: text('f.bot_name'),
    vendor: text('f.vendor'),
    intent: text('f.intent'),
  },
  by: { page: 'f.page', bot: 'f.bot_name', vendor: 'f.vendor', intent: 'f.intent' },
  measures: { ...FIGURES, ...COMPARED },
  sorts: { ...SORTS, path: 'path', bots: 'bot' },
  number: BOT_PAGE,
});

/** A number that is another one in the period before. */
const inItsPeriod = ({ plan }: ReportQuery, number: string): string =>
  plan.previousFrom === null ? number : `if(${IN_PERIOD}, ${number}, bitNot(${number}))`;

/** Where the name below the folder ends, 0 for a page or a file: in bytes, as `substring` counts. */
const SLASH = "position(f.path, '/', length({prefix:String}) + 1)";
const FOLDER = `substring(f.path, 1, if(${SLASH} = 0, length(f.path), ${SLASH}))`;

/** What tells rows of one kind apart, as a number. */
interface RowNumber {
  readonly sql: string;
  readonly reads: readonly string[];
}

/** Numbers of what the visits of a query read. */
const readBy = (query: ReportQuery, kind: PathKind, { sql, reads }: RowNumber, key = sql): string =>
  `SELECT ${key}
  FROM ${facts([...new Set([...reads, ...KIND_COLUMNS])], query, ['ai_bot'])}
  WHERE ${IS_READ} AND ${OF_KIND[kind]}`;

/**
 * Only visits to what was read, in the period or the one before, each for itself. For what is added up over several paths: a row of one
 * path says it of itself. Spoofed visits that are not counted stay where any visit read, theirs too: they are a separate figure.
 */
const ofRead = (query: ReportQuery, kind: PathKind, number: RowNumber): string => {
  const key = inItsPeriod(query, number.sql);
  const among = (by: ReportQuery) => `${key} IN (${readBy(by, kind, number, key)})`;
  const besides =
    query.population === 'all' ? '' : ` OR (NOT f.counted AND ${among({ ...query, population: 'all' })})`;
  return `${OF_KIND[kind]} AND ((f.counted AND ${among(query)})${besides})`;
};
const PAGE_NUMBER = { sql: 'f.page', reads: ['page'] } as const;

/** The same where what only failed is known by its number; a path that spoofed visits alone read is theirs. */
const besideUnread = (lost: Named<Lost>, unread: Named<readonly string[]>): string =>
  [
    lost === 'none'
      ? 'true'
      : `(NOT f.counted OR NOT if(${IN_PERIOD}, f.page IN {lost_now:Array(UInt64)}, f.page IN {lost_before:Array(UInt64)}))`,
    unread === 'none' ? 'true' : '(f.counted OR f.page NOT IN {unread:Array(UInt64)})',
  ].join(' AND ');

const namesOf = (lost: Named<Lost>, unread: Named<readonly string[]>): Record<string, bigint[]> => ({
  ...(typeof lost === 'string'
    ? {}
    : { lost_now: lost.now.map(BigInt), lost_before: lost.before.map(BigInt) }),
  ...(typeof unread === 'string' ? {} : { unread: unread.map(BigInt) }),
});

/**
 * The children of a folder: folders below it, each with all that lies in it, and its own pages.
 * @param prefix ends with `/`
 * @param paths of the kind, where they were asked for before: each row then needs no look at what was read
 */
export function folderList(prefix: string, kind: PathKind, query: ReportQuery, paths?: ReadPaths): ListSpec {
  const { lost, unread } = paths ?? { lost: 'many', unread: 'many' };
  const isNamed = lost !== 'many' && unread !== 'many';
  const read = isNamed
    ? `${OF_KIND[kind]} AND ${besideUnread(lost, unread)}`
    : ofRead(query, kind, PAGE_NUMBER);
  const where = `startsWith(f.path, {prefix:String}) AND ${kind === 'all' ? 'true' : read}`;
  return {
    ...COMMON,
    reads: COLUMNS,
    where,
    params: { prefix, ...(isNamed ? namesOf(lost, unread) : {}) },
    keys: {
      folder: text(FOLDER),
      is_folder: { sql: `toUInt32(any(${SLASH} > 0))`, type: 'UInt32' },
    },
    // A folder's name ends with a slash behind the prefix, a path's doesn't.
    by: { folder: FOLDER },
    measures: {
      ...FIGURES,
      ...BY_INTENT,
      ...ESTIMATED_BY_INTENT,
      bots: BOTS,
      pages: PAGES,
      files: FILES,
      ...COMPARED,
    },
    // A path that doesn't begin so may be cut to the same name.
    number: {
      sql: `cityHash64(${FOLDER}, ${SLASH} > 0)`,
      reads: ['path', ...PAGE_NUMBER.reads, 'asset'],
      where,
    },
    sorts: { ...SORTS, path: 'folder', bots: 'bots', pages: 'pages + files' },
  };
}

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
/** Bots by number: those of two readings are united. A list has some hundreds. */
const botsOf = (condition: string): string =>
  `groupUniqArrayIf(toString(cityHash64(f.bot_name)), ${condition})`;
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
/** Of two moments, 0 for none. */
const earlier = (a: number, b: number): number => (a === 0 || b === 0 ? Math.max(a, b) : Math.min(a, b));

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
  const seen = (prefix: string, condition: string) => ({
    [`${prefix}first_at`]: `toUnixTimestamp64Milli(minIf(f.first_at, ${condition}))`,
    [`${prefix}last_at`]: `toUnixTimestamp64Milli(maxIf(f.last_at, ${condition}))`,
    [`${prefix}bot_numbers`]: botsOf(condition),
  });
  const columns = {
    ...SUMS,
    ...ADDED_UP,
    ...seen('', `${NOW} AND ${IS_READ}`),
    ...seen('all_', NOW),
    days: dayByDay(query),
  };
  const [row] = await askFacts<Sums & Spoofed & Seen & AllSeen>(
    warehouse,
    query,
    `SELECT ${selected(columns)} FROM ${facts([...FIGURE_COLUMNS, 'bot_name', 'asset'], query, ['ai_bot'])} WHERE ${OF_KIND[kind]}`,
    signal,
  );
  if (row === undefined) throw new Error('A sum without GROUP BY has one row');
  return row;
}

/** Numbers of pages that the population asked for and never read, in the period and in the one before. */
interface Lost {
  readonly now: readonly string[];
  readonly before: readonly string[];
}
/** At most so many numbers are answered; where there are more, the statement that needs them looks for them. */
const MAX_NAMED = 5_000;

/** `many`: the numbers are not known; `none`: there are none, or they don't matter. */
type Named<What> = What | 'none' | 'many';

export interface ReadPaths {
  readonly pages: number;
  readonly files: number;
  readonly lost: Named<Lost>;
  /** Pages that spoofed visits of the period asked for and no visit read. */
  readonly unread: Named<readonly string[]>;
}

/** How many pages and files were read, and which of a kind only failed: one look at every page for both. */
export async function readPaths(
  warehouse: Warehouse,
  query: ReportQuery,
  kind: PathKind,
  group: 'page' | 'folder' | 'bot_page',
  signal?: AbortSignal,
): Promise<ReadPaths> {
  if (kind === 'all' || group === 'bot_page') {
    const relation = facts(['page', ...KIND_COLUMNS], query, ['ai_bot']);
    const [row] = await askFacts<Pick<ReadPaths, 'pages' | 'files'>>(
      warehouse,
      query,
      `SELECT ${PAGES} AS pages, ${FILES} AS files FROM ${relation} WHERE ${NOW} AND ${IS_READ}`,
      signal,
    );
    const answer = kind === 'all' ? 'none' : 'many';
    return { pages: row?.pages ?? 0, files: row?.files ?? 0, lost: answer, unread: answer };
  }
  const everyone: ReportQuery = { ...query, population: 'all' };
  const counted = query.population === 'all' ? 'true' : 'f.genuine';
  const isNow = `${IN_PERIOD} AND ${counted}`;
  const isBefore = `NOT (${IN_PERIOD}) AND ${counted}`;
  const isKind = kind === 'file' ? 'is_file' : 'NOT is_file';
  const numbersOf = (condition: string) =>
    `groupArrayIf(${MAX_NAMED + 1})(toString(page), ${isKind} AND ${condition})`;
  const [row] = await askFacts<
    Pick<ReadPaths, 'pages' | 'files'> & Lost & { readonly unread: readonly string[] }
  >(
    warehouse,
    everyone,
    `SELECT countIf(NOT is_file AND reads_now > 0) AS pages, countIf(is_file AND reads_now > 0) AS files,
  ${numbersOf('reads_now = 0 AND visits_now > 0')} AS now, ${numbersOf('reads_before = 0 AND visits_before > 0')} AS before,
  ${numbersOf('reads = 0 AND spoofed > 0')} AS unread
FROM (
  SELECT f.page AS page, any(${IS_FILE}) AS is_file, countIf(${isNow}) AS visits_now, countIf(${isNow} AND ${IS_READ}) AS reads_now,
    countIf(${isBefore}) AS visits_before, countIf(${isBefore} AND ${IS_READ}) AS reads_before,
    countIf(${IN_PERIOD} AND ${IS_READ}) AS reads, countIf(${IN_PERIOD} AND NOT f.genuine) AS spoofed
  FROM ${facts(['page', ...KIND_COLUMNS, 'genuine'], everyone, ['ai_bot'])} GROUP BY f.page
)`,
    signal,
  );
  const { now = [], before = [], unread = [], pages = 0, files = 0 } = row ?? {};
  const asNamed = <What>(what: What, most: number): Named<What> =>
    most === 0 ? 'none' : most > MAX_NAMED ? 'many' : what;
  return {
    ...{ pages, files },
    lost: asNamed({ now, before }, Math.max(now.length, before.length)),
    // Other verdicts than the one that is asked for were not looked at.
    unread: query.filter.verified === 'false' ? 'many' : asNamed(unread, unread.length),
  };
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
  const measures = measuresOfFailed(query);
  return await askFacts<Failed>(
    warehouse,
    query,
    `SELECT f.was_read AS was_read,
  ${selected(measures)}
FROM (
  SELECT *, toUInt8(${wasRead}) AS was_read FROM ${of(SUMMED_COLUMNS)} WHERE ${failed}
) AS f GROUP BY f.was_read`,
    signal,
    lost === 'many' ? {} : { lost_now: lost.now.map(BigInt), lost_before: lost.before.map(BigInt) },
  );
}

/** Named apart from the columns of `f`. */
const measuresOfFailed = (query: ReportQuery) => ({
  ...ADDED_UP,
  first_at: FIGURES.first_at,
  last_at: FIGURES.last_at,
  bot_numbers: botsOf(NOW),
  days: dayByDay(query),
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
  const isUnread = `${IN_PERIOD} AND f.verified = false AND f.was_read = 0`;
  const rows = await askFacts<Failed & { spoofed_unread: number; estimated_spoofed_unread: number }>(
    warehouse,
    query,
    `SELECT f.was_read AS was_read,
  ${selected(measuresOfFailed(query))},
  sumIf(f.weight, ${isUnread}) AS spoofed_unread, sumIf(f.estimated, ${isUnread}) AS estimated_spoofed_unread
FROM (
  SELECT *, toUInt8(if(f.counted, ${key}, bitRotateLeft(${key}, 1)) NOT IN (${neverRead})) AS was_read
  FROM ${relation(SUMMED_COLUMNS)} WHERE NOT ${IS_READ} AND ${OF_KIND[kind]}
) AS f GROUP BY f.was_read`,
    signal,
  );
  const unread = rows.find(({ was_read: wasRead }) => wasRead === 0);
  return {
    failed: rows,
    unread: {
      spoofed: unread?.spoofed_unread ?? 0,
      estimated_spoofed: unread?.estimated_spoofed_unread ?? 0,
    },
  };
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
