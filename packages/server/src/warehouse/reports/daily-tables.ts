/**
 * Closed days, added up several times, each time for questions of their own: a first page or a chart needs no path, a ranking of pages their
 * numbers alone, a list of pages no country, and only a filter by both needs every key. A report reads the leanest table that holds what it
 * names; all are made by one run, from the same hits, and say the same.
 */

import { isAsset } from './assets.ts';

/**
 * Search crawlers are no part of any AI figure: the AI share counts them among the other programs, and the senders' report as received.
 * `counted` rows are no hits: each says how many other requests there were (`coverage.ts`), and the AI share alone reads them.
 */
export type FactClass = 'ai_bot' | 'ai_referral' | 'sample' | 'search_engine' | 'counted';
export type FactColumn = string;

/** Sixty-four bits for a host and a path: told apart far faster than words. Among a million pages two share one at odds of 1 to 37 million. */
export const pageNumber = (host: string, path: string): string => `cityHash64(${host}, ${path})`;

/**
 * Columns that follow from others where a table lacks them, as SQL over `h`. `genuine`: no spoofed visit. `reader`: a bot by number, found
 * once for a list of pages.
 */
const DERIVED: Readonly<Record<FactColumn, { readonly from: readonly FactColumn[]; readonly sql: string }>> =
  {
    genuine: { from: ['verified'], sql: 'ifNull(h.verified, true)' },
    reader: {
      from: ['bot_name', 'vendor', 'intent'],
      // Each word's own number first: those are found once for a dictionary, not for every row.
      sql: 'cityHash64(cityHash64(h.bot_name), cityHash64(h.vendor), h.intent)',
    },
    maker: { from: ['vendor'], sql: 'cityHash64(h.vendor)' },
    crawler: {
      from: ['vendor', 'bot_name', 'intent', 'engine'],
      sql: 'cityHash64(cityHash64(h.vendor), cityHash64(h.bot_name), h.intent, cityHash64(h.engine))',
    },
  };

/** Column → how a raw hit says it, where it says it otherwise. A network counts only for spoofed hits; kept for all it would be most of the rows. */
const OF_A_HIT: Readonly<Record<FactColumn, string>> = {
  page: pageNumber('h.host', 'h.path'),
  asn: "if(h.class = 'ai_bot' AND h.verified = false, h.asn, toUInt32(0))",
  hits: 'toUInt64(1)',
  // Comes from samples. A sample of every visit is no estimate.
  estimated: 'if(h.sample_rate > 0 AND h.sample_rate < 1, h.weight, 0.)',
  bytes: 'h.bytes * h.weight',
  first_at: 'h.at',
  last_at: 'h.at',
  last_received_at: 'h.received_at',
};

/** Whether a hit's hour was counted: no column of hits, but what other rows say (`coverage.ts`). */
export const COVERED = 'covered';

/** A column of the facts but the day and `covered`, as SQL over `hits AS h`. */
export const ofHit = (column: FactColumn): string =>
  OF_A_HIT[column] ?? DERIVED[column]?.sql ?? `h.${column}`;

/** How a run adds up. */
const SUMS: Readonly<Record<FactColumn, string>> = {
  hits: 'count()',
  weight: 'sum(h.weight)',
  estimated: `sum(${ofHit('estimated')})`,
  bytes: `sum(${ofHit('bytes')})`,
  first_at: 'min(h.at)',
  last_at: 'max(h.at)',
  last_received_at: 'max(h.received_at)',
};

export interface DailyTable {
  readonly name: string;
  readonly classes: readonly FactClass[];
  readonly keys: readonly FactColumn[];
  readonly measures: readonly FactColumn[];
  /** Days that were counted before the table was made may have no rows in it: `FactsPlan.hasLists`. */
  readonly isLate?: true;
  /** A row is a list: the other keys once, and of many pages each one's number and weight, in two arrays. */
  readonly isList?: true;
}

/** The arrays of a list: column → what the facts call an element. */
const LISTED = { pages: 'page', weights: 'weight' } as const;
/** So that a row can be moved and read at once, however many pages a bot reads on a day. */
const LIST_LENGTH = 4_096;

const WHO = ['class', 'bot_name', 'vendor', 'engine', 'intent', 'verified', 'referrer_engine'] as const;
const HOW = [
  'source',
  'verified_by',
  'verdict_reason',
  'asset',
  'sample_rate',
  'other_bot',
  'covered',
  'worker_version',
] as const;
/** Part of `daily_pages` in another order, for a few pages of many days. */
const PAGE_BY_PAGE: DailyTable = {
  name: 'daily_page_days',
  classes: ['ai_bot'],
  keys: [
    ...['class', 'bot_name', 'vendor', 'engine', 'intent', 'verified'],
    ...['host', 'path', 'page', 'asset', 'status'],
  ],
  measures: ['weight', 'estimated', 'bytes', 'first_at', 'last_at'],
  isLate: true,
};
const TABLES: readonly DailyTable[] = [
  {
    name: 'daily_totals',
    classes: ['ai_bot', 'ai_referral', 'sample', 'search_engine', 'counted'],
    keys: [...WHO, ...HOW, 'referral_signal', 'host', 'status'],
    measures: Object.keys(SUMS),
  },
  {
    name: 'daily_page_lists',
    classes: ['ai_bot'],
    keys: ['class', 'genuine', 'host', 'page', 'asset', 'status'],
    measures: ['weight'],
    isLate: true,
    isList: true,
  },
  {
    name: 'daily_bot_page_lists',
    classes: ['ai_bot'],
    keys: [
      ...['class', 'bot_name', 'vendor', 'engine', 'intent', 'verified'],
      ...['host', 'page', 'asset', 'status'],
    ],
    measures: ['weight'],
    isLate: true,
    isList: true,
  },
  {
    name: 'daily_pages',
    classes: ['ai_bot', 'ai_referral'],
    keys: [...WHO, 'referral_signal', 'host', 'path', 'page', 'asset', 'status'],
    measures: ['weight', 'estimated', 'bytes', 'first_at', 'last_at'],
  },
  PAGE_BY_PAGE,
  {
    name: 'daily_bot_pages',
    classes: ['ai_bot', 'ai_referral', 'sample', 'search_engine', 'counted'],
    keys: [...WHO, ...HOW, 'referral_signal', 'host', 'path', 'page', 'status', 'country', 'asn'],
    measures: Object.keys(SUMS),
  },
];
/** Leanest first; the last holds everything. */
export const DAILY_TABLES = TABLES;

const holds = ({ keys, measures }: DailyTable, name: FactColumn): boolean =>
  name === 'day' || keys.includes(name) || measures.includes(name);

/** What is asked of daily rows. */
export interface Asked {
  readonly columns: readonly FactColumn[];
  readonly classes: readonly FactClass[];
  /** Every day that is read has rows in every table. */
  readonly hasLists: boolean;
  /** Only of pages that are few and named by their numbers. */
  readonly ofFewPages: boolean;
}

/** @throws RangeError for a column that no table has */
export function leanest({ columns, classes, hasLists, ofFewPages }: Asked): DailyTable {
  const fits = (table: DailyTable) =>
    (hasLists || table.isLate !== true) &&
    classes.every((name) => table.classes.includes(name)) &&
    columns.every((name) => holds(table, name) || DERIVED[name]?.from.every((part) => holds(table, part)));
  if (ofFewPages && fits(PAGE_BY_PAGE)) return PAGE_BY_PAGE;
  const table = TABLES.find(fits);
  if (table === undefined) throw new RangeError(`No daily rows hold all of ${columns.join(', ')}`);
  return table;
}

const ofDaily = (table: DailyTable, name: FactColumn): string =>
  holds(table, name) ? `h.${name}` : (DERIVED[name]?.sql ?? `h.${name}`);

/**
 * Columns of a table that fits, as a SELECT.
 * @param columns name → what it is beside a column of the facts, as SQL over `h`; null: that column
 * @param where a condition on `h`, which names no page
 */
export function dailySelect(
  table: DailyTable,
  columns: ReadonlyMap<string, ((of: (name: FactColumn) => string) => string) | null>,
  where: (of: (name: FactColumn) => string) => string,
): string {
  const of = (name: FactColumn) => ofDaily(table, name);
  const arrays = Object.entries(LISTED).filter(([, element]) => table.isList && columns.has(element));
  const elements = arrays.map(([, element]): string => element);
  const rows = [...columns].flatMap(([name, made]) =>
    elements.includes(name) ? [] : [`${made === null ? of(name) : made(of)} AS ${name}`],
  );
  if (arrays.length === 0) return `SELECT ${rows.join(', ')}\n  FROM ${table.name} AS h WHERE ${where(of)}`;
  // Conditions are asked of a list once, before its pages are rows.
  return `SELECT ${[...columns.keys()].join(', ')} FROM (SELECT ${[
    ...rows,
    ...arrays.map(([array]) => `h.${array} AS ${array}`),
  ].join(', ')}
  FROM ${table.name} AS h WHERE ${where(of)})
  ARRAY JOIN ${arrays.map(([array, element]) => `${array} AS ${element}`).join(', ')}`;
}

/** How rows of a run are added up again. */
const SUMS_AGAIN: Readonly<Record<FactColumn, string>> = {
  first_at: 'min(h.first_at)',
  last_at: 'max(h.last_at)',
  last_received_at: 'max(h.last_received_at)',
};

/** How a group's day and run are said, as SQL: the day over `h`, the run over `h` or `k_day`. */
export interface DayAndRun {
  readonly day: string;
  readonly run: string;
}
const OF_ITS_ROWS: DayAndRun = { day: 'h.day', run: 'h.run' };

/**
 * The statement by which runs fill a table.
 * @param covered the column of that name
 * @param from `FROM hits AS h WHERE …`, of those days
 */
export const dailyInsert = (table: DailyTable, of: DayAndRun, covered: string, from: string): string =>
  insertOf(
    table,
    of,
    (key) => (key === COVERED ? covered : ofHit(key)),
    (measure) => SUMS[measure] ?? '',
    from,
  );

/**
 * The same from the rows of another run that have every key, with the rule of files as it is now.
 * @param run as SQL
 * @param from `FROM daily_bot_pages AS h WHERE …`
 */
export const dailyAgain = (table: DailyTable, run: string, from: string): string =>
  insertOf(
    table,
    { ...OF_ITS_ROWS, run },
    // What was counted has no path.
    (key) =>
      key === 'asset'
        ? `if(h.class = 'counted', h.asset, ${isAsset('h.path')})`
        : (DERIVED[key]?.sql ?? `h.${key}`),
    (measure) => SUMS_AGAIN[measure] ?? `sum(h.${measure})`,
    from,
  );

/** The same for a table that was made later than the run. @param from `FROM daily_pages AS h WHERE …` */
export const dailyLater = (table: DailyTable, from: string): string =>
  insertOf(
    table,
    OF_ITS_ROWS,
    (key) => DERIVED[key]?.sql ?? `h.${key}`,
    (measure) => SUMS_AGAIN[measure] ?? `sum(h.${measure})`,
    from,
  );

function insertOf(
  { name, keys, measures, isList }: DailyTable,
  { day, run }: DayAndRun,
  keyOf: (key: FactColumn) => string,
  sumOf: (measure: FactColumn) => string,
  from: string,
): string {
  // Named apart from the columns of `h`: an alias that hides one would be added up twice.
  const selected = [
    ...['h.organization_id AS k_organization', 'h.attribution_id AS k_property'],
    ...[`${day} AS k_day`, `${run} AS k_run`],
    ...keys.map((key) => `${keyOf(key)} AS k_${key}`),
    ...measures.map((measure) => `${sumOf(measure)} AS m_${measure}`),
  ];
  const group = ['k_organization', 'k_property', 'k_day', 'k_run', ...keys.map((key) => `k_${key}`)].join(
    ', ',
  );
  const rows = `SELECT ${selected.join(',\n  ')}\n${from}\nGROUP BY ${group}`;
  const scope = 'organization_id, attribution_id, day, run';
  if (!isList) return `INSERT INTO ${name} (${scope}, ${[...keys, ...measures].join(', ')})\n${rows}`;
  const once = keys.filter((key) => key !== LISTED.pages);
  const ofList = ['k_organization', 'k_property', 'k_day', 'k_run', ...once.map((key) => `k_${key}`)];
  const slice = (array: string) => `arraySlice(${array}, start + 1, ${LIST_LENGTH})`;
  return `INSERT INTO ${name} (${[scope, ...once, ...Object.keys(LISTED)].join(', ')})
SELECT ${[...ofList, slice('numbers'), slice('sums')].join(', ')} FROM (
  SELECT ${ofList.join(', ')}, groupArray(k_${LISTED.pages}) AS numbers, groupArray(m_${LISTED.weights}) AS sums
  FROM (${rows})
  GROUP BY ${ofList.join(', ')}
) ARRAY JOIN range(0, length(numbers), ${LIST_LENGTH}) AS start`;
}
