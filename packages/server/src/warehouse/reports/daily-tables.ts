/**
 * Closed days, added up three times, each time for questions of their own: a first page or a chart needs no path, a list of pages no
 * country, and only a filter by both needs every key. A report reads the leanest table that holds what it names; all three are made by
 * one run, from the same hits, and say the same.
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
export const ofHit = (column: FactColumn): string => OF_A_HIT[column] ?? `h.${column}`;

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
}

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
const TABLES: readonly DailyTable[] = [
  {
    name: 'daily_totals',
    classes: ['ai_bot', 'ai_referral', 'sample', 'search_engine', 'counted'],
    keys: [...WHO, ...HOW, 'referral_signal', 'host', 'status'],
    measures: Object.keys(SUMS),
  },
  {
    name: 'daily_pages',
    classes: ['ai_bot', 'ai_referral'],
    keys: [...WHO, 'referral_signal', 'host', 'path', 'page', 'asset', 'status'],
    measures: ['weight', 'estimated', 'bytes', 'first_at', 'last_at'],
  },
  {
    name: 'daily_bot_pages',
    classes: ['ai_bot', 'ai_referral', 'sample', 'search_engine', 'counted'],
    keys: [...WHO, ...HOW, 'referral_signal', 'host', 'path', 'page', 'status', 'country', 'asn'],
    measures: Object.keys(SUMS),
  },
];
/** Leanest first; the last holds everything. */
export const DAILY_TABLES = TABLES;

/** @throws RangeError for a column that no table has */
export function leanest(columns: readonly FactColumn[], classes: readonly FactClass[]): string {
  const fits = ({ keys, measures, classes: held }: DailyTable) =>
    classes.every((name) => held.includes(name)) &&
    columns.every((name) => name === 'day' || keys.includes(name) || measures.includes(name));
  const table = TABLES.find(fits);
  if (table === undefined) throw new RangeError(`No daily rows hold all of ${columns.join(', ')}`);
  return table.name;
}

/** How rows of a run are added up again. */
const SUMS_AGAIN: Readonly<Record<FactColumn, string>> = {
  first_at: 'min(h.first_at)',
  last_at: 'max(h.last_at)',
  last_received_at: 'max(h.last_received_at)',
};

/**
 * The statement by which a run fills a table, up to its FROM: `hits AS h` of one day, under {day:Date} and {run:UInt64}.
 * @param covered the column of that name
 */
export const dailyInsert = (table: DailyTable, covered: string): string =>
  insertOf(
    table,
    (key) => (key === COVERED ? covered : ofHit(key)),
    (measure) => SUMS[measure] ?? '',
  );

/** The same from the rows of another run that have every key, `daily_bot_pages AS h`, with the rule of files as it is now. */
export const dailyAgain = (table: DailyTable): string =>
  insertOf(
    table,
    // What was counted has no path.
    (key) => (key === 'asset' ? `if(h.class = 'counted', h.asset, ${isAsset('h.path')})` : `h.${key}`),
    (measure) => SUMS_AGAIN[measure] ?? `sum(h.${measure})`,
  );

function insertOf(
  { name, keys, measures }: DailyTable,
  keyOf: (key: FactColumn) => string,
  sumOf: (measure: FactColumn) => string,
): string {
  // Named apart from the columns of `h`: an alias that hides one would be added up twice.
  const selected = [
    ...['h.organization_id AS k_organization', 'h.attribution_id AS k_property'],
    ...['{day:Date} AS k_day', '{run:UInt64} AS k_run'],
    ...keys.map((key) => `${keyOf(key)} AS k_${key}`),
    ...measures.map((measure) => `${sumOf(measure)} AS m_${measure}`),
  ];
  return `INSERT INTO ${name} (organization_id, attribution_id, day, run, ${[...keys, ...measures].join(', ')})
SELECT ${selected.join(',\n  ')}`;
}

export const dailyGroup = ({ keys }: DailyTable): string =>
  ['k_organization', 'k_property', ...keys.map((key) => `k_${key}`)].join(', ');
