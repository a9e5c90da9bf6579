/** What is added up, as SQL over `f`: the same words mean the same in every report. */
import { BEFORE, IN_PERIOD, NOW, type ReportQuery } from './facts.ts';

/** A column of a query: how it is computed, and what it reads. */
export type Columns = Readonly<Record<string, string>>;

export const sumOf = (condition: string): string => `sumIf(f.weight, ${NOW} AND ${condition})`;
export const HITS = `sumIf(f.weight, ${NOW})`;
/** Spoofed visits: a figure of its own, whether or not the population has them. Reads `counted`. */
export const spoofedWhere = (condition: string): string =>
  `sumIf(f.weight, ${IN_PERIOD} AND f.verified = false AND ${condition})`;
/** The part that comes from samples. */
export const ESTIMATED = `sumIf(f.estimated, ${NOW})`;

/** A visit that got what it asked for: whole, unchanged, or with a status that its sender doesn't tell. */
export const IS_READ = '(f.status = 0 OR (f.status >= 200 AND f.status < 300) OR f.status = 304)';
export const IS_FILE = 'f.asset';
export const IS_PAGE = 'NOT f.asset';
/** What `IS_READ` and its two kinds read beside the number of a page. */
export const KIND_COLUMNS = ['status', 'asset'] as const;

/** The part of `sumOf` and of `spoofedWhere` with the same condition that comes from samples. */
export const estimatedOf = (condition: string): string => `sumIf(f.estimated, ${NOW} AND ${condition})`;
export const estimatedSpoofed = (condition: string): string =>
  `sumIf(f.estimated, ${IN_PERIOD} AND f.verified = false AND ${condition})`;

/** 304 answers a question whether anything has changed: the visitor was not redirected. */
export const REDIRECT = '(f.status >= 300 AND f.status < 400 AND f.status != 304)';
export const CLIENT_ERROR = '(f.status >= 400 AND f.status < 500)';
export const SERVER_ERROR = '(f.status >= 500 AND f.status < 600)';
/** What lies beyond 599 is no status of HTTP, and its meaning is unknown. */
export const ERROR = '(f.status >= 400 AND f.status < 600)';

const OK = '((f.status >= 200 AND f.status < 300) OR f.status = 304)';

/** `FIGURES` reads these. */
export const FIGURE_COLUMNS = [
  'counted',
  'weight',
  'estimated',
  'verified',
  'bytes',
  'status',
  'first_at',
  'last_at',
] as const;

/** `hits` and all but `spoofed` are of the population. Hits are weighted: a sample counts for as many visits as it stands for. Times are epoch milliseconds, 0 for never. */
export const FIGURES = {
  hits: HITS,
  estimated: ESTIMATED,
  verified: sumOf('f.verified = true'),
  spoofed: spoofedWhere('true'),
  unknown: sumOf('f.verified IS NULL'),
  bytes: `sumIf(f.bytes, ${NOW})`,
  ok: sumOf(OK),
  redirects: sumOf(REDIRECT),
  client_errors: sumOf(CLIENT_ERROR),
  server_errors: sumOf(SERVER_ERROR),
  estimated_verified: estimatedOf('f.verified = true'),
  estimated_spoofed: estimatedSpoofed('true'),
  estimated_unknown: estimatedOf('f.verified IS NULL'),
  estimated_ok: estimatedOf(OK),
  estimated_redirects: estimatedOf(REDIRECT),
  estimated_client_errors: estimatedOf(CLIENT_ERROR),
  estimated_server_errors: estimatedOf(SERVER_ERROR),
  first_at: `toUnixTimestamp64Milli(minIf(f.first_at, ${NOW}))`,
  last_at: `toUnixTimestamp64Milli(maxIf(f.last_at, ${NOW}))`,
} as const satisfies Columns;

export type Figures = Readonly<Record<keyof typeof FIGURES, number>>;

export const PREVIOUS_HITS = `sumIf(f.weight, ${BEFORE})`;
/** Of the period, as far as it is compared: days that are not over have no counterpart. */
export const COMPARED_HITS = `sumIf(f.weight, ${NOW} AND f.day <= {compared_to:Date})`;
/** Distinct pages that were read: paths of no file that were answered well at least once. */
export const PAGES = `uniqExactIf(f.page, ${NOW} AND ${IS_READ} AND ${IS_PAGE})`;
export const PREVIOUS_PAGES = `uniqExactIf(f.page, ${BEFORE} AND ${IS_READ} AND ${IS_PAGE})`;
/** And files that were. */
export const FILES = `uniqExactIf(f.page, ${NOW} AND ${IS_READ} AND ${IS_FILE})`;
/** Whatever was asked for, of whatever kind, with whatever answer. */
export const PATHS = `uniqExactIf(f.page, ${NOW})`;
/** Of one path: how often it was read. A visit counts once, be it a sample or not: whether there are any is what is asked. */
export const READS = `countIf(${NOW} AND ${IS_READ})`;
/** Distinct bots, told apart by number: a set of words for each page took three times as long as one of numbers. */
export const botsWhere = (condition: string): string => `uniqExactIf(cityHash64(f.bot_name), ${condition})`;
export const BOTS = botsWhere(NOW);

export const BY_INTENT = {
  training: sumOf("f.intent = 'training'"),
  search: sumOf("f.intent = 'search'"),
  on_demand: sumOf("f.intent = 'on_demand'"),
  other: sumOf("f.intent IN ('other', '')"),
} as const satisfies Columns;

export const ESTIMATED_BY_INTENT = {
  estimated_training: estimatedOf("f.intent = 'training'"),
  estimated_search: estimatedOf("f.intent = 'search'"),
  estimated_on_demand: estimatedOf("f.intent = 'on_demand'"),
  estimated_other: estimatedOf("f.intent IN ('other', '')"),
} as const satisfies Columns;

export type EstimatedByIntent = Readonly<Record<keyof typeof ESTIMATED_BY_INTENT, number>>;
export type ByIntent = Readonly<Record<keyof typeof BY_INTENT, number>>;

/** Part of what was; of next to nothing there is no such number. What a list is sorted by: `comparison.ts` says it. */
export const CHANGE =
  'if({is_comparable:UInt8} = 1 AND previous_hits >= 20, (compared_hits - previous_hits) / previous_hits, NULL)';

/** A sum for each day from the first of both periods on. */
export const dayByDay = (
  { plan }: Pick<ReportQuery, 'plan'>,
  weight = 'if(f.counted, f.weight, 0)',
): string => `sumResample(${plan.previousFrom ?? plan.from}, ${plan.to + 1}, 1)(${weight}, toUInt32(f.day))`;

export const selected = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(',\n  ');
