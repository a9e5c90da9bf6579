/** What AI bots could not read. */
import type { Warehouse } from '../warehouse.ts';
import { askFacts, facts, IN_PERIOD, NOW, type ReportQuery } from './facts.ts';
import { type ListSpec, text } from './list.ts';
import {
  BOTS,
  botsWhere,
  CLIENT_ERROR,
  ERROR,
  ESTIMATED,
  estimatedOf,
  estimatedSpoofed,
  HITS,
  PATHS,
  REDIRECT,
  SERVER_ERROR,
  selected,
  spoofedWhere,
  sumOf,
} from './measures.ts';

export type FailureKind = 'error' | 'client_error' | 'server_error' | 'redirect';
export type FailureGroup = 'page' | 'bot' | 'bot_page';

const KINDS: Readonly<Record<FailureKind, string>> = {
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
const WEIGHT_OF_FAILURE = `(f.weight * multiIf(f.intent = 'on_demand', 5, f.intent = 'search', 2, 1)
    * multiIf(${SERVER_ERROR}, 2, ${REDIRECT}, 0.25, 1))`;
const GENUINE = 'ifNull(f.verified, true)';

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

/** Failures and redirects of the period: what any of the measures counts, except for successful visits. */
const NOT_WELL = `${IN_PERIOD} AND f.status >= 300`;
const READS = [
  ...['counted', 'weight', 'estimated', 'status', 'verified', 'intent', 'bot_name', 'vendor'],
  ...['first_at', 'last_at'],
];

const scoreOf = (failed: string) => `sumIf(${WEIGHT_OF_FAILURE}, ${NOW} AND ${failed} AND ${GENUINE})`;

const ranksOf = (failed: string) => ({
  failures: { reads: ['status'], where: `${NOW} AND ${failed}`, measure: HITS },
  score: {
    reads: ['status', 'intent', 'verified'],
    where: `${NOW} AND ${failed}`,
    measure: scoreOf(failed),
  },
});

export function failureList(group: FailureGroup, kind: FailureKind): ListSpec {
  const failed = KINDS[kind];
  const page = { host: text('any(f.host)'), path: text('any(f.path)') };
  const bot = {
    bot: text('f.bot_name'),
    vendor: text('f.vendor'),
    intent: text('f.intent'),
  };
  const byPage = { page: 'f.page' };
  const byBot = { bot: 'f.bot_name', vendor: 'f.vendor', intent: 'f.intent' };
  const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "''"]));
  return {
    classes: ['ai_bot'],
    reads: [...READS, ...(group === 'bot' ? [] : ['host', 'path', 'page'])],
    where: NOT_WELL,
    keys: { ...(group === 'bot' ? {} : page), ...(group === 'page' ? {} : bot) },
    by: { ...(group === 'bot' ? {} : byPage), ...(group === 'page' ? {} : byBot) },
    apart: {
      reads: [
        ...['weight', 'estimated'],
        ...(group === 'bot' ? [] : ['page']),
        ...(group === 'page' ? [] : ['bot_name', 'vendor', 'intent']),
      ],
      measures: { hits: HITS, estimated_hits: ESTIMATED },
      where: NOW,
    },
    measures: {
      ...none([
        ...(group === 'bot' ? ['host', 'path'] : []),
        ...(group === 'page' ? ['bot', 'vendor', 'intent'] : []),
      ]),
      failures: sumOf(failed),
      estimated: `sumIf(f.estimated, ${NOW} AND ${failed})`,
      redirects: sumOf(REDIRECT),
      client_errors: sumOf(CLIENT_ERROR),
      server_errors: sumOf(SERVER_ERROR),
      statuses: `sumMapIf(map(f.status, f.weight), ${NOW} AND ${failed})`,
      bots: botsWhere(`${NOW} AND ${failed}`),
      on_demand: sumOf(`${failed} AND f.intent = 'on_demand'`),
      search: sumOf(`${failed} AND ${GENUINE} AND f.intent = 'search'`),
      spoofed: spoofedWhere(failed),
      first_at: `toUnixTimestamp64Milli(minIf(f.first_at, ${NOW} AND ${failed}))`,
      last_at: `toUnixTimestamp64Milli(maxIf(f.last_at, ${NOW} AND ${failed}))`,
      score: scoreOf(failed),
      estimated_redirects: estimatedOf(REDIRECT),
      estimated_client_errors: estimatedOf(CLIENT_ERROR),
      estimated_server_errors: estimatedOf(SERVER_ERROR),
      estimated_on_demand: estimatedOf(`${failed} AND f.intent = 'on_demand'`),
      estimated_spoofed: estimatedSpoofed(failed),
      estimated_statuses: `sumMapIf(map(f.status, f.estimated), ${NOW} AND ${failed} AND f.estimated > 0)`,
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
    ...(group === 'page' ? { ranks: ranksOf(failed) } : {}),
  };
}

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
    `SELECT if(grouping(f.status) = 1, 0, f.status) AS status, ${selected({ hits: HITS, estimated: ESTIMATED, bots: BOTS, paths: PATHS })}
FROM ${facts(['weight', 'estimated', 'status', 'bot_name', 'page'], query, ['ai_bot'])}
WHERE ${NOW} AND ${KINDS[kind]} GROUP BY f.status WITH ROLLUP HAVING hits > 0 ORDER BY hits DESC, status LIMIT 51`,
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
  const sum = (condition: string) => `sumIf(f.weight, f.counted AND ${condition})`;
  const estimated = (condition: string) => `sumIf(f.estimated, ${condition})`;
  const columns = {
    hits: sum('true'),
    redirects: sum(REDIRECT),
    client_errors: sum(CLIENT_ERROR),
    server_errors: sum(SERVER_ERROR),
    estimated: estimated(`f.counted AND ${KINDS[kind]}`),
    spoofed: `sumIf(f.weight, f.verified = false AND ${KINDS[kind]})`,
    estimated_spoofed: estimated(`f.verified = false AND ${KINDS[kind]}`),
    estimated_hits: estimated('f.counted'),
    estimated_redirects: estimated(`f.counted AND ${REDIRECT}`),
    estimated_client_errors: estimated(`f.counted AND ${CLIENT_ERROR}`),
    estimated_server_errors: estimated(`f.counted AND ${SERVER_ERROR}`),
  };
  return await askFacts<FailureDay>(
    warehouse,
    query,
    `SELECT toUInt32(f.day) AS day, ${selected(columns)}
FROM ${facts(['counted', 'weight', 'estimated', 'status', 'verified'], query, ['ai_bot'])}
GROUP BY f.day ORDER BY day LIMIT 1000`,
    signal,
  );
}
