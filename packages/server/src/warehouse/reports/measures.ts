/** What is added up of the visits of a report: the same words mean the same in every one. */
import { BYTES, DISTINCT_BOTS, FIRST, LAST, PART_OF_SAMPLES, ROWS, WEIGHT } from './aggregates.ts';
import { type Condition, NOW, OF_BEFORE, OF_NOW, sqlOf } from './dimensions.ts';
import { type Aggregate, columnOf, type Measure, type Measures } from './slices.ts';

export const COUNTED: Condition = { population: ['counted'] };

/** Of what the population has in the period. */
export const ofNow = (of: Aggregate, where: Condition = {}): Measure => ({
  of,
  where: { ...OF_NOW, ...where },
});
export const sumOf = (where: Condition): Measure => ofNow(WEIGHT, where);
/** The part of `sumOf` with the same condition that comes from samples. */
export const estimatedOf = (where: Condition): Measure => ofNow(PART_OF_SAMPLES, where);
export const HITS = sumOf({});
export const ESTIMATED = estimatedOf({});

/** Whether or not the population has them. */
const OF_SPOOFED: Condition = { period: ['now'], verdict: ['spoofed'] };
/** Spoofed visits: a figure of its own, whether or not the population has them. Reads `counted`. */
export const spoofedWhere = (where: Condition): Measure => ({
  of: WEIGHT,
  where: { ...OF_SPOOFED, ...where },
});
export const estimatedSpoofed = (where: Condition): Measure => ({
  of: PART_OF_SAMPLES,
  where: { ...OF_SPOOFED, ...where },
});

/** A visit that got what it asked for: whole, unchanged, or with a status that its sender doesn't tell. */
export const READ: Condition = { answer: ['ok', 'untold'] };
export const IS_READ = `(${sqlOf(READ)})`;
export const IS_FILE = 'f.asset';
export const IS_PAGE = 'NOT f.asset';
/** What `IS_READ` and its two kinds read beside the number of a page. */
export const KIND_COLUMNS = ['status', 'asset'] as const;

export const OK: Condition = { answer: ['ok'] };
export const REDIRECT: Condition = { answer: ['redirect'] };
export const CLIENT_ERROR: Condition = { answer: ['client_error'] };
export const SERVER_ERROR: Condition = { answer: ['server_error'] };
export const ERROR: Condition = { answer: ['client_error', 'server_error'] };

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
  verified: sumOf({ verdict: ['verified'] }),
  spoofed: spoofedWhere({}),
  unknown: sumOf({ verdict: ['unknown'] }),
  bytes: ofNow(BYTES),
  ok: sumOf(OK),
  redirects: sumOf(REDIRECT),
  client_errors: sumOf(CLIENT_ERROR),
  server_errors: sumOf(SERVER_ERROR),
  estimated_verified: estimatedOf({ verdict: ['verified'] }),
  estimated_spoofed: estimatedSpoofed({}),
  estimated_unknown: estimatedOf({ verdict: ['unknown'] }),
  estimated_ok: estimatedOf(OK),
  estimated_redirects: estimatedOf(REDIRECT),
  estimated_client_errors: estimatedOf(CLIENT_ERROR),
  estimated_server_errors: estimatedOf(SERVER_ERROR),
  first_at: ofNow(FIRST),
  last_at: ofNow(LAST),
} as const satisfies Measures;

export type Figures = Readonly<Record<keyof typeof FIGURES, number>>;

export const PREVIOUS_HITS: Measure = { of: WEIGHT, where: OF_BEFORE };
/** Of the period, as far as it is compared: days that are not over have no counterpart. */
export const COMPARED_HITS = sumOf({ comparison: ['compared'] });
/** Distinct pages that were read: paths of no file that were answered well at least once. */
export const PAGES = `uniqExactIf(f.page, ${NOW} AND ${IS_READ} AND ${IS_PAGE})`;
export const PREVIOUS_PAGES = `uniqExactIf(f.page, ${sqlOf(OF_BEFORE)} AND ${IS_READ} AND ${IS_PAGE})`;
/** And files that were. */
export const FILES = `uniqExactIf(f.page, ${NOW} AND ${IS_READ} AND ${IS_FILE})`;
/** Whatever was asked for, of whatever kind, with whatever answer. */
export const PATHS = `uniqExactIf(f.page, ${NOW})`;
/** Of one path: how often it was read. A visit counts once, be it a sample or not: whether there are any is what is asked. */
export const READS = ofNow(ROWS, READ);
/** Distinct bots. */
export const BOTS = ofNow(DISTINCT_BOTS);
export const botsWhere = (where: Condition): Measure => ofNow(DISTINCT_BOTS, where);

export const BY_INTENT = {
  training: sumOf({ intent: ['training'] }),
  search: sumOf({ intent: ['search'] }),
  on_demand: sumOf({ intent: ['on_demand'] }),
  other: sumOf({ intent: ['other'] }),
} as const satisfies Measures;

export const ESTIMATED_BY_INTENT = {
  estimated_training: estimatedOf({ intent: ['training'] }),
  estimated_search: estimatedOf({ intent: ['search'] }),
  estimated_on_demand: estimatedOf({ intent: ['on_demand'] }),
  estimated_other: estimatedOf({ intent: ['other'] }),
} as const satisfies Measures;

export type EstimatedByIntent = Readonly<Record<keyof typeof ESTIMATED_BY_INTENT, number>>;
export type ByIntent = Readonly<Record<keyof typeof BY_INTENT, number>>;

const changeOf = (compared: string, previous: string): string =>
  `if({is_comparable:UInt8} = 1 AND ${previous} >= 20, (${compared} - ${previous}) / ${previous}, NULL)`;
/** Part of what was; of next to nothing there is no such number. What a list is sorted by: `comparison.ts` says it. */
export const CHANGE = changeOf('compared_hits', 'previous_hits');
/** The same of visits, not of a row's measures. */
export const CHANGE_OF_VISITS = changeOf(columnOf(COMPARED_HITS), columnOf(PREVIOUS_HITS));
