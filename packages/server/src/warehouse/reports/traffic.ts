/** Collector traffic by what it was: what shares are made of. And who sends it. */
import type { Warehouse } from '../warehouse.ts';
import type { Covered } from './coverage.ts';
import type { FactClass } from './daily-tables.ts';
import { NOW } from './dimensions.ts';
import { askFacts, botConditions, facts, IN_PERIOD, type ReportQuery } from './facts.ts';
import {
  BY_INTENT,
  ESTIMATED,
  HITS,
  KIND_COLUMNS,
  PAGES,
  PATHS,
  PREVIOUS_HITS,
  spoofedWhere,
} from './measures.ts';
import { columnsOf, selected } from './slices.ts';

const ALL: readonly FactClass[] = ['ai_bot', 'ai_referral', 'sample', 'search_engine'];

/** Hits of one kind taken at one rate on one day. */
export interface TrafficRow {
  readonly day: number;
  readonly source: string;
  readonly class: FactClass;
  readonly asset: boolean;
  readonly other_bot: boolean;
  readonly covered: Covered;
  /** 0: every one of them was sent. */
  readonly sample_rate: number;
  /** Rows; of what was counted, the requests that were. */
  readonly hits: number;
  /** Of those, the AI bots of the population that the filter means; for other classes the same as `hits`. */
  readonly meant: number;
  /** AI bots outside of the population, whether the filter means them or not: spoofed programs. */
  readonly spoofed: number;
  /** Spoofed AI bots that the filter selects, in the population or not. */
  readonly spoofed_meant: number;
}

/** Of the period. A property has a handful of rates. */
export async function trafficRows(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<TrafficRow[]> {
  const bots = botConditions(query.filter, 'f');
  const meant =
    bots.length === 0 ? 'f.counted' : `f.counted AND (f.class != 'ai_bot' OR (${bots.join(' AND ')}))`;
  const isSpoofed = ["f.class = 'ai_bot'", 'f.verified = false', ...bots].join(' AND ');
  const who = ['counted', 'source', 'class', 'asset', 'other_bot', 'covered', 'sample_rate', 'verified'];
  const columns = [...who, 'hits', 'weight'];
  // A row that counts requests says by its weight how many; of a log of a share of all, how many the whole had.
  const requests = 'round(f.weight * if(f.sample_rate > 0, f.sample_rate, 1))';
  const hits = `if(f.class = 'counted', toUInt64(${requests}), f.hits)`;
  const asked = ['bot_name', 'vendor', 'intent'];
  return await askFacts<TrafficRow>(
    warehouse,
    query,
    `SELECT toUInt32(f.day) AS day, toString(f.source) AS source, toString(f.class) AS class, f.asset AS asset,
  f.other_bot AS other_bot, toString(f.covered) AS covered, f.sample_rate AS sample_rate, sum(${hits}) AS hits, sumIf(${hits}, ${meant}) AS meant,
  sumIf(f.hits, NOT f.counted) AS spoofed, sumIf(f.hits, ${isSpoofed}) AS spoofed_meant
FROM ${facts(bots.length === 0 ? columns : [...columns, ...asked], query, [...ALL, 'counted'])}
WHERE ${IN_PERIOD}
GROUP BY f.day, f.source, f.class, f.asset, f.other_bot, f.covered, f.sample_rate
ORDER BY day LIMIT 200000`,
    signal,
  );
}

export interface SenderRow {
  readonly source: string;
  readonly version: string;
  readonly host: string;
  readonly hits: number;
  readonly samples: number;
  readonly sample_rates: readonly number[];
  readonly first_at: number;
  readonly last_received_at: number;
}

/** Most hits first, at most 2,000. */
export async function senders(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<SenderRow[]> {
  const columns = ['source', 'worker_version', 'host', 'hits', 'sample_rate', 'first_at', 'last_received_at'];
  return await askFacts<SenderRow>(
    warehouse,
    query,
    `SELECT toString(f.source) AS source, toString(f.worker_version) AS version, toString(f.host) AS host,
  sum(f.hits) AS hits, sumIf(f.hits, f.sample_rate > 0) AS samples,
  arraySort(groupUniqArrayIf(20)(f.sample_rate, f.sample_rate > 0)) AS sample_rates,
  toUnixTimestamp64Milli(min(f.first_at)) AS first_at,
  toUnixTimestamp64Milli(max(f.last_received_at)) AS last_received_at
FROM ${facts(columns, query, ALL)}
WHERE ${NOW}
GROUP BY f.source, f.worker_version, f.host
ORDER BY hits DESC, source, version, host LIMIT 2000`,
    signal,
  );
}

/** Who sent something since a moment, whatever the period of a report: by arrival, newest of each. At most 2,000. @param since epoch milliseconds, outside */
export async function arrivals(
  warehouse: Warehouse,
  query: ReportQuery,
  since: number,
  signal?: AbortSignal,
): Promise<Pick<SenderRow, 'source' | 'version' | 'host' | 'last_received_at'>[]> {
  return await askFacts(
    warehouse,
    query,
    `SELECT toString(h.source) AS source, toString(h.worker_version) AS version, toString(h.host) AS host,
  toUnixTimestamp64Milli(max(h.received_at)) AS last_received_at
FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} AND h.class NOT IN ('counted', 'test')
  AND h.received_at > fromUnixTimestamp64Milli({since:Int64})
GROUP BY h.source, h.worker_version, h.host LIMIT 2000`,
    signal,
    { since },
  );
}

export interface EngineRow {
  /** The vendor's key for crawlers; the product's name for referrals. */
  readonly engine: string;
  readonly vendor: string;
  readonly class: 'ai_bot' | 'ai_referral';
  readonly hits: number;
  readonly estimated: number;
  readonly training: number;
  readonly search: number;
  readonly on_demand: number;
  readonly other: number;
  /** Read by crawlers; landed on by people. */
  readonly pages: number;
  readonly previous_hits: number;
  /** Beside `hits`, or of them where the population is all. */
  readonly spoofed: number;
}

/** What each engine crawled, and whom each product sent. At most 1,000. */
export async function engineRows(
  warehouse: Warehouse,
  query: ReportQuery,
  of: 'ai_bot' | 'ai_referral',
  signal?: AbortSignal,
): Promise<EngineRow[]> {
  const name = of === 'ai_bot' ? 'engine' : 'referrer_engine';
  const columns = ['counted', name, 'vendor', 'weight', 'estimated', 'intent', 'verified'];
  return await askFacts<EngineRow>(
    warehouse,
    query,
    `SELECT * FROM (
  SELECT f.${name} AS engine, any(toString(f.vendor)) AS vendor, '${of}' AS class,
    ${selected(columnsOf({ hits: HITS, estimated: ESTIMATED, ...BY_INTENT, previous_hits: PREVIOUS_HITS, spoofed: spoofedWhere({}) }))}
  FROM ${facts(columns, query, [of])} GROUP BY f.${name} HAVING hits > 0 OR previous_hits > 0
) AS t LEFT JOIN (
  SELECT f.${name} AS engine, ${of === 'ai_bot' ? PAGES : PATHS} AS pages
  FROM ${facts([name, 'page', ...(of === 'ai_bot' ? KIND_COLUMNS : [])], query, [of])} GROUP BY f.${name}
) AS p USING (engine)
ORDER BY hits DESC, engine LIMIT 1000`,
    signal,
  );
}
