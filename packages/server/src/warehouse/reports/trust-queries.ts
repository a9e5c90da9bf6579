/** Who is who they say: by bot, with method and reason; and where those come from who are not. */
import type { Warehouse } from '../warehouse.ts';
import { estimatedBy, FIRST, LAST, WEIGHT } from './aggregates.ts';
import { NOW, OF_BEFORE, RECORDED_REASONS, type RecordedReason } from './dimensions.ts';
import { askFacts, facts, type ReportQuery } from './facts.ts';
import { type ListSpec, text } from './list.ts';
import { BOTS, ESTIMATED, estimatedOf, HITS, ofNow, PATHS, PREVIOUS_HITS, sumOf } from './measures.ts';
import { columnsOf, type Measure, readSlices, selected } from './slices.ts';

const BY = {
  signature: sumOf({ verdict: ['verified'], method: ['signature'] }),
  edge_cidr: sumOf({ verdict: ['verified'], method: ['edge_cidr'] }),
  edge_platform: sumOf({ verdict: ['verified'], method: ['edge_platform'] }),
  server_cidr: sumOf({ verdict: ['verified'], method: ['server_cidr'] }),
} as const;

/** `reason_<word>`: hits of that reason; `reason_` those from before it was recorded. */
type Reasons = Readonly<Record<`reason_${RecordedReason}`, number>>;
const REASONS = Object.fromEntries(
  RECORDED_REASONS.map((word) => [`reason_${word}`, sumOf({ reason: [word] })]),
) as unknown as Readonly<Record<keyof Reasons, Measure>>;

export interface TrustRow extends Readonly<Record<keyof typeof BY, number>>, Reasons {
  readonly vendor: string;
  readonly bot: string;
  readonly intent: string;
  readonly hits: number;
  readonly estimated: number;
  readonly verified: number;
  readonly spoofed: number;
  readonly unknown: number;
  readonly spoofed_share: number;
  readonly estimated_verified: number;
  readonly estimated_spoofed: number;
  readonly estimated_unknown: number;
  /** By `verified_by` and by `verdict_reason`; only those that come from samples in part. */
  readonly estimated_methods: Readonly<Record<string, number>>;
  readonly estimated_reasons: Readonly<Record<string, number>>;
  readonly last_spoofed_at: number;
  readonly previous_hits: number;
  readonly previous_spoofed: number;
}

const MEASURES = {
  hits: HITS,
  estimated: ESTIMATED,
  verified: sumOf({ verdict: ['verified'] }),
  spoofed: sumOf({ verdict: ['spoofed'] }),
  unknown: sumOf({ verdict: ['unknown'] }),
  ...BY,
  ...REASONS,
  estimated_verified: estimatedOf({ verdict: ['verified'] }),
  estimated_spoofed: estimatedOf({ verdict: ['spoofed'] }),
  estimated_unknown: estimatedOf({ verdict: ['unknown'] }),
  estimated_methods: ofNow(estimatedBy('toString(f.verified_by)'), { verdict: ['verified'] }),
  estimated_reasons: ofNow(estimatedBy('toString(f.verdict_reason)')),
  last_spoofed_at: ofNow(LAST, { verdict: ['spoofed'] }),
  previous_hits: PREVIOUS_HITS,
  previous_spoofed: { of: WEIGHT, where: { ...OF_BEFORE, verdict: ['spoofed'] } },
} as const;

const READS = [
  ...['weight', 'estimated', 'verified', 'verified_by', 'verdict_reason', 'vendor', 'bot_name', 'intent'],
  'last_at',
];

export const trustList: ListSpec = {
  classes: ['ai_bot'],
  reads: READS,
  keys: {
    vendor: text('f.vendor'),
    bot: text('f.bot_name'),
    intent: text('f.intent'),
  },
  measures: MEASURES,
  derived: { spoofed_share: 'spoofed / hits' },
  sorts: { spoofed: 'spoofed', hits: 'hits', verified: 'verified', unknown: 'unknown', bot: 'bot' },
};

export type TrustTotals = Omit<TrustRow, 'vendor' | 'bot' | 'intent' | 'spoofed_share'>;

export async function trustTotals(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<TrustTotals> {
  const from = `FROM ${facts(READS, query, ['ai_bot'])}`;
  const [row] = await readSlices<TrustTotals>(
    warehouse,
    query,
    { keys: {}, measures: MEASURES, from },
    signal,
  );
  if (row === undefined) throw new Error('What has no keys is one row');
  return row;
}

export interface SpoofSourceRow {
  readonly asn: number;
  readonly country: string;
  readonly hits: number;
  readonly estimated: number;
  readonly bots: number;
  /** That were asked for, whatever the answer. */
  readonly paths: number;
  readonly claimed: readonly string[];
  readonly first_at: number;
  readonly last_at: number;
}

export const spoofSourceList: ListSpec = {
  classes: ['ai_bot'],
  reads: ['weight', 'estimated', 'verified', 'asn', 'country', 'bot_name', 'page', 'first_at', 'last_at'],
  where: 'f.verified = false',
  keys: { asn: { sql: 'toUInt32(f.asn)', type: 'UInt32' }, country: text('f.country') },
  measures: {
    hits: HITS,
    estimated: ESTIMATED,
    bots: BOTS,
    paths: PATHS,
    claimed: `arraySlice(arraySort(groupUniqArrayIf(toString(f.bot_name), ${NOW})), 1, 10)`,
    first_at: ofNow(FIRST),
    last_at: ofNow(LAST),
  },
  sorts: { hits: 'hits', asn: 'asn', country: 'country', last_seen: 'last_at' },
};

export interface ClaimedRow {
  readonly bot: string;
  readonly vendor: string;
  readonly verified: number;
  readonly spoofed: number;
  readonly unknown: number;
  /** Of the verified: by a signature, and by the CDN. Their addresses were no part of the proof. */
  readonly signed: number;
  readonly platform: number;
}

/** What came under each bot's name, most spoofed first; at most 500. */
export async function claimedNames(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<ClaimedRow[]> {
  const measures = {
    verified: MEASURES.verified,
    spoofed: MEASURES.spoofed,
    unknown: MEASURES.unknown,
    signed: BY.signature,
    platform: BY.edge_platform,
  };
  return await askFacts<ClaimedRow>(
    warehouse,
    query,
    `SELECT toString(f.bot_name) AS bot, any(toString(f.vendor)) AS vendor, ${selected(columnsOf(measures))}
FROM ${facts(['weight', 'verified', 'verified_by', 'vendor', 'bot_name'], query, ['ai_bot'])}
GROUP BY bot HAVING verified + spoofed + unknown > 0
ORDER BY spoofed DESC, bot LIMIT 500`,
    signal,
  );
}

/** Visits of one user agent at one sample rate; 0: every one was sent, or counted. */
export interface ProgramRow {
  readonly user_agent: string;
  /** Requests that a log counted, whose user agent is `agentOf` a name. */
  readonly is_counted: boolean;
  readonly sample_rate: number;
  readonly hits: number;
  readonly networks: readonly number[];
  readonly paths: number;
  readonly robots: number;
  readonly first_at: number;
  readonly last_at: number;
}

/**
 * Samples and counted requests of programs that the lists don't name, by user agent, most seen first; at most 5,000. Daily rows lack it.
 */
export async function unlistedPrograms(
  warehouse: Warehouse,
  query: ReportQuery,
  { from, to }: { readonly from: number; readonly to: number },
  signal?: AbortSignal,
): Promise<ProgramRow[]> {
  const { host, path, country } = query.filter;
  // A row that counts requests says by its weight how many; of a log of a share of all, how many the whole had.
  const requests =
    "if(h.class = 'counted', toUInt64(round(h.weight * if(h.sample_rate > 0, h.sample_rate, 1))), 1)";
  return await askFacts<ProgramRow>(
    warehouse,
    query,
    `SELECT h.user_agent AS user_agent, toBool(h.class = 'counted') AS is_counted, h.sample_rate AS sample_rate, sum(${requests}) AS hits,
  arraySort(groupUniqArrayIf(20)(h.asn, h.asn > 0)) AS networks, uniqExactIf(h.path, h.class = 'sample') AS paths,
  countIf(h.path = '/robots.txt') AS robots,
  toUnixTimestamp64Milli(min(h.at)) AS first_at, toUnixTimestamp64Milli(max(h.at)) AS last_at
FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID}
  AND h.class IN ('sample', 'counted') AND h.other_bot AND h.user_agent != ''
  AND h.at >= fromUnixTimestamp64Milli({begin:Int64}) AND h.at < fromUnixTimestamp64Milli({end:Int64})
  ${host === undefined ? '' : 'AND h.host = lower({host:String})'}
  ${path === undefined ? '' : 'AND startsWith(h.path, {path:String})'}
  ${country === undefined ? '' : 'AND h.country = {country:String}'}
GROUP BY user_agent, is_counted, sample_rate
ORDER BY hits / if(h.sample_rate > 0, h.sample_rate, 1) DESC, user_agent LIMIT 5000`,
    signal,
    { begin: from, end: to },
  );
}
