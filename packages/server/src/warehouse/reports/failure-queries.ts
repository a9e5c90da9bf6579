/** What AI bots could not read. */
import type { Warehouse } from '../warehouse.ts';
import { estimatedBy, FIRST, LAST, PART_OF_SAMPLES, WEIGHT, weightBy } from './aggregates.ts';
import { type Condition, NOW, sqlOf } from './dimensions.ts';
import { askFacts, facts, IN_PERIOD, type ReportQuery } from './facts.ts';
import { type ListSpec, type RankedSpec, text } from './list.ts';
import {
  BOTS,
  botsWhere,
  CLIENT_ERROR,
  COUNTED,
  ERROR,
  ESTIMATED,
  estimatedOf,
  estimatedSpoofed,
  HITS,
  OK,
  ofNow,
  PATHS,
  REDIRECT,
  SERVER_ERROR,
  spoofedWhere,
  sumOf,
} from './measures.ts';
import { type Aggregate, columnsOf, type Measure, readSlices, selected } from './slices.ts';

export type FailureKind = 'error' | 'client_error' | 'server_error' | 'redirect';
export type FailureGroup = 'page' | 'bot' | 'bot_page';

const KINDS: Readonly<Record<FailureKind, Condition>> = {
  error: ERROR,
  client_error: CLIENT_ERROR,
  server_error: SERVER_ERROR,
  redirect: REDIRECT,
};

/**
 * How much a failure matters: at a visit on demand a person waits for the answer, a search engine drops what it can't read, a training
 * crawler comes again. A 5xx is the site's own fault and harms more than a page that is gone; a redirect still arrives. Who only
 * pretends to be a bot loses nothing.
 */
const WEIGHT_OF_FAILURE = `f.weight * multiIf(f.intent = 'on_demand', 5, f.intent = 'search', 2, 1)
    * multiIf(${sqlOf(SERVER_ERROR)}, 2, ${sqlOf(REDIRECT)}, 0.25, 1)`;
const SCORE: Aggregate<number> = {
  all: `sum(${WEIGHT_OF_FAILURE})`,
  where: (condition) => `sumIf(${WEIGHT_OF_FAILURE}, ${condition})`,
  together: WEIGHT.together,
};
const GENUINE: Condition = { verdict: ['verified', 'unknown'] };

export interface FailureRow {
  readonly host: string;
  readonly path: string;
  readonly bot: string;
  readonly vendor: string;
  readonly intent: string;
  readonly failures: number;
  readonly hits: number;
  readonly estimated: number;
  readonly redirects: number;
  readonly client_errors: number;
  readonly server_errors: number;
  /** Failures by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly bots: number;
  readonly on_demand: number;
  readonly search: number;
  readonly spoofed: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly score: number;
  readonly estimated_hits: number;
  readonly estimated_redirects: number;
  readonly estimated_client_errors: number;
  readonly estimated_server_errors: number;
  readonly estimated_on_demand: number;
  readonly estimated_spoofed: number;
  /** Failures by status; only those that come from samples in part. */
  readonly estimated_statuses: Readonly<Record<string, number>>;
}

/** A page has them apart, too: those of whom a failure costs most may have met another status than the others. */
export interface FailingPageRow extends FailureRow {
  /** The page's, as decimal text. */
  readonly number: string;
  /** Failures by status: those of `on_demand`, and those of `search`. */
  readonly on_demand_statuses: Readonly<Record<string, number>>;
  readonly search_statuses: Readonly<Record<string, number>>;
}

/** Failures and redirects of the period: what any of the measures counts, except for successful visits. */
const NOT_WELL = `${IN_PERIOD} AND f.status >= 300`;
const READS = [
  ...['counted', 'weight', 'estimated', 'status', 'verified', 'intent', 'bot_name', 'vendor'],
  ...['first_at', 'last_at'],
];

const ranksOf = (failed: Condition) => {
  const where = sqlOf(failed);
  return {
    failures: { reads: ['status'], where, measure: WEIGHT.all },
    score: { reads: ['status', 'intent', 'verified'], where, measure: SCORE.where(sqlOf(GENUINE)) },
  };
};

const PAGE = {
  reads: ['host', 'path', 'page'],
  keys: { host: text('any(f.host)'), path: text('any(f.path)') },
  by: { page: 'f.page' },
  all: ['page'],
} as const;
const BOT = {
  reads: [],
  keys: { bot: text('f.bot_name'), vendor: text('f.vendor'), intent: text('f.intent') },
  by: { bot: 'f.bot_name', vendor: 'f.vendor', intent: 'f.intent' },
  all: ['bot_name', 'vendor', 'intent'],
} as const;
/** A row of pages is of no one bot, and the other way round. */
const NONE = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, text("''")]));
const GROUPS = {
  page: { ...PAGE, keys: { ...PAGE.keys, ...NONE(BOT.keys) } },
  bot: { ...BOT, keys: { ...NONE(PAGE.keys), ...BOT.keys } },
  bot_page: {
    reads: PAGE.reads,
    keys: { ...PAGE.keys, ...BOT.keys },
    by: { ...PAGE.by, ...BOT.by },
    all: [...PAGE.all, ...BOT.all],
  },
} as const;

const ON_DEMAND: Condition = { intent: ['on_demand'] };
const BY_SEARCH: Condition = { ...GENUINE, intent: ['search'] };

const listOf = (group: FailureGroup, kind: FailureKind) => {
  const failed = KINDS[kind];
  const { reads, keys, by, all } = GROUPS[group];
  return {
    classes: ['ai_bot'],
    reads: [...READS, ...reads],
    where: NOT_WELL,
    keys,
    by,
    apart: {
      reads: ['weight', 'estimated', ...all],
      measures: { hits: HITS, estimated_hits: ESTIMATED },
      where: NOW,
    },
    measures: {
      failures: sumOf(failed),
      estimated: estimatedOf(failed),
      redirects: sumOf(REDIRECT),
      client_errors: sumOf(CLIENT_ERROR),
      server_errors: sumOf(SERVER_ERROR),
      statuses: ofNow(weightBy('f.status'), failed),
      bots: botsWhere(failed),
      on_demand: sumOf({ ...failed, ...ON_DEMAND }),
      search: sumOf({ ...failed, ...BY_SEARCH }),
      spoofed: spoofedWhere(failed),
      first_at: ofNow(FIRST, failed),
      last_at: ofNow(LAST, failed),
      score: ofNow(SCORE, { ...failed, ...GENUINE }),
      estimated_redirects: estimatedOf(REDIRECT),
      estimated_client_errors: estimatedOf(CLIENT_ERROR),
      estimated_server_errors: estimatedOf(SERVER_ERROR),
      estimated_on_demand: estimatedOf({ ...failed, ...ON_DEMAND }),
      estimated_spoofed: estimatedSpoofed(failed),
      estimated_statuses: ofNow(estimatedBy('f.status'), failed),
    },
    having: 'failures > 0',
    sorts: {
      failures: 'failures',
      score: 'score',
      path: 'path',
      bot: 'bot',
      last_seen: 'last_at',
      failing_share: 'failures / hits',
    },
  } as const satisfies ListSpec;
};

/** Rows are `FailingPageRow`. */
export const failingPages = (kind: FailureKind): RankedSpec => {
  const failed = KINDS[kind];
  const list = listOf('page', kind);
  const measures = {
    ...list.measures,
    on_demand_statuses: ofNow(weightBy('f.status'), { ...failed, ...ON_DEMAND }),
    search_statuses: ofNow(weightBy('f.status'), { ...failed, ...BY_SEARCH }),
  };
  return { ...list, measures, ranks: ranksOf(failed) };
};
export const failureList = (group: FailureGroup, kind: FailureKind): ListSpec =>
  group === 'page' ? failingPages(kind) : listOf(group, kind);

export interface StatusRow {
  /** 0: all of them together. */
  readonly status: number;
  readonly hits: number;
  readonly estimated: number;
  readonly bots: number;
  /** Paths that were asked for: what always fails is no page. */
  readonly paths: number;
}

/** Most hits first, at most 50; all together before them, where there are any. */
export async function failureStatuses(
  warehouse: Warehouse,
  query: ReportQuery,
  kind: FailureKind,
  signal?: AbortSignal,
): Promise<StatusRow[]> {
  return await askFacts<StatusRow>(
    warehouse,
    query,
    `SELECT if(grouping(f.status) = 1, 0, f.status) AS status, ${selected(columnsOf({ hits: HITS, estimated: ESTIMATED, bots: BOTS, paths: PATHS }))}
FROM ${facts(['weight', 'estimated', 'status', 'bot_name', 'page'], query, ['ai_bot'])}
WHERE ${NOW} AND ${sqlOf(KINDS[kind])} GROUP BY f.status WITH ROLLUP HAVING hits > 0 ORDER BY hits DESC, status LIMIT 51`,
    signal,
  );
}

export interface FailureDay {
  readonly day: number;
  readonly hits: number;
  readonly redirects: number;
  readonly client_errors: number;
  readonly server_errors: number;
  /** Of the requested kind: the part from samples, and the part of spoofed visits. */
  readonly estimated: number;
  readonly spoofed: number;
  readonly estimated_spoofed: number;
  readonly estimated_hits: number;
  readonly estimated_redirects: number;
  readonly estimated_client_errors: number;
  readonly estimated_server_errors: number;
}

/** Of both periods. */
export async function failureDays(
  warehouse: Warehouse,
  query: ReportQuery,
  kind: FailureKind,
  signal?: AbortSignal,
): Promise<FailureDay[]> {
  const failed = KINDS[kind];
  const sumOfDay = (where: Condition): Measure => ({ of: WEIGHT, where });
  const estimated = (where: Condition): Measure => ({ of: PART_OF_SAMPLES, where });
  const spoofed: Condition = { verdict: ['spoofed'], ...failed };
  const measures = {
    hits: sumOfDay(COUNTED),
    redirects: sumOfDay({ ...COUNTED, ...REDIRECT }),
    client_errors: sumOfDay({ ...COUNTED, ...CLIENT_ERROR }),
    server_errors: sumOfDay({ ...COUNTED, ...SERVER_ERROR }),
    estimated: estimated({ ...COUNTED, ...failed }),
    spoofed: sumOfDay(spoofed),
    estimated_spoofed: estimated(spoofed),
    estimated_hits: estimated(COUNTED),
    estimated_redirects: estimated({ ...COUNTED, ...REDIRECT }),
    estimated_client_errors: estimated({ ...COUNTED, ...CLIENT_ERROR }),
    estimated_server_errors: estimated({ ...COUNTED, ...SERVER_ERROR }),
  };
  const columns = ['counted', 'weight', 'estimated', 'status', 'verified'];
  const days = await readSlices<FailureDay>(
    warehouse,
    query,
    { keys: { day: 'toUInt32(f.day)' }, measures, from: `FROM ${facts(columns, query, ['ai_bot'])}` },
    signal,
  );
  return days.sort((a, b) => a.day - b.day);
}

/** What one page answered on one day: all that failed, or all that went well. */
export interface PageDay {
  /** Its number, as decimal text. */
  readonly page: string;
  readonly failed: 0 | 1;
  readonly hits: number;
  readonly first_at: number;
  readonly last_at: number;
}

/** @param pages numbers of at most some dozen pages */
export async function pageDays(
  warehouse: Warehouse,
  query: ReportQuery,
  pages: readonly string[],
  signal?: AbortSignal,
): Promise<PageDay[]> {
  const failed = sqlOf(ERROR);
  return await askFacts<PageDay>(
    warehouse,
    query,
    `SELECT toString(f.page) AS page, toUInt8(${failed}) AS failed, ${WEIGHT.all} AS hits, ${FIRST.all} AS first_at, ${LAST.all} AS last_at
FROM ${facts(['page', 'status', 'weight', 'first_at', 'last_at'], query, ['ai_bot'], { ofFewPages: true })}
WHERE f.page IN {pages:Array(UInt64)} AND ${NOW} AND (${failed} OR ${sqlOf(OK)}) GROUP BY page, f.day, failed`,
    signal,
    { pages: pages.map(BigInt) },
  );
}
