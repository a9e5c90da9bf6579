/** What came to a property in each hour before a moment: the ground on which alerts compare now with what is usual. */
import { HOUR_MS } from '@ghostlight/core/time';
import { IS_REAL } from './hits.ts';
import { IS_OF_QUOTA } from './received.ts';
import type { PropertyDay } from './reports/daily-rows.ts';
import { NUMBERS_AS_NUMBERS } from './row.ts';
import type { Warehouse } from './warehouse.ts';

/** Fifteen days of a hundred and fifty names. */
const MAX_ROWS = 60_000;
const MAX_NAMES = 2_000;

type Scope = Omit<PropertyDay, 'day'>;

export interface TrafficHour {
  /** Whole hours before the moment: 0 is the newest, rolling. What is ahead of the moment counts as now. */
  readonly hour: number;
  /** Search crawlers tell that something is still received, and nothing else. */
  readonly class: 'ai_bot' | 'ai_referral' | 'sample' | 'search_engine';
  /** The bot or the engine; empty for samples and search crawlers. */
  readonly name: string;
  /** Weighted, spoofed ones not among them. */
  readonly visits: number;
  readonly spoofed: number;
  /** Of `visits`: those with a status, and of these 400 and above. */
  readonly answered: number;
  readonly failed: number;
  /** Epoch milliseconds. */
  readonly received_at: number;
}

/** @param request epoch milliseconds; `from` inside, `to` outside; hours are counted back from `before`; what arrived after `receivedUntil` is not there yet */
export async function trafficHours(
  warehouse: Warehouse,
  scope: Scope,
  {
    receivedUntil,
    most = MAX_ROWS,
    ...request
  }: {
    readonly from: number;
    readonly to: number;
    readonly before: number;
    readonly receivedUntil?: number;
    /** Rows that are read at most; what is beyond are the oldest hours. */
    readonly most?: number;
  },
  signal?: AbortSignal,
): Promise<TrafficHour[]> {
  return await warehouse.rows<TrafficHour>(
    'report',
    {
      sql: `SELECT intDiv(greatest({before:Int64} - toUnixTimestamp64Milli(h.at), 0), ${HOUR_MS}) AS hour,
  h.class AS class,
  multiIf(h.class = 'ai_bot', toString(h.bot_name), h.class = 'ai_referral', toString(h.referrer_engine), '') AS name,
  sumIf(h.weight, ${GENUINE}) AS visits, sumIf(h.weight, h.verified = false) AS spoofed,
  sumIf(h.weight, ${GENUINE} AND h.status > 0) AS answered, sumIf(h.weight, ${GENUINE} AND h.status >= 400 AND h.status < 600) AS failed,
  toUnixTimestamp64Milli(max(h.received_at)) AS received_at
FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} ${IS_REAL}
  AND h.at >= fromUnixTimestamp64Milli({from:Int64}) AND h.at < fromUnixTimestamp64Milli({to:Int64})
  ${receivedUntil === undefined ? '' : 'AND h.received_at <= fromUnixTimestamp64Milli({receivedUntil:Int64})'}
GROUP BY hour, class, name
ORDER BY hour, class, name LIMIT {most:UInt32}`,
      params: {
        organization: scope.organizationId,
        property: scope.attributionId,
        ...request,
        receivedUntil: receivedUntil ?? 0,
        most,
      },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 20, max_memory_usage: 512 * 1024 * 1024 },
    },
    signal,
  );
}

/**
 * Rows that were received, as quotas count them: no weights, no imports, by the hour in which they arrived.
 * @param scope without a property: of the whole organization
 * @param request as of `trafficHours`
 */
export async function storedHours(
  warehouse: Warehouse,
  scope: { readonly organizationId: string; readonly attributionId: string | null },
  request: { readonly from: number; readonly to: number; readonly before: number },
  signal?: AbortSignal,
): Promise<{ readonly hour: number; readonly hits: number }[]> {
  return await warehouse.rows(
    'report',
    {
      sql: `SELECT intDiv(greatest({before:Int64} - toUnixTimestamp64Milli(h.received_at), 0), ${HOUR_MS}) AS hour, count() AS hits
FROM hits AS h
WHERE h.organization_id = {organization:UUID} ${scope.attributionId === null ? '' : 'AND h.attribution_id = {property:UUID}'} AND ${IS_OF_QUOTA}
  AND h.received_at >= fromUnixTimestamp64Milli({from:Int64}) AND h.received_at < fromUnixTimestamp64Milli({to:Int64})
GROUP BY hour ORDER BY hour LIMIT ${MAX_NAMES}`,
      params: {
        organization: scope.organizationId,
        ...(scope.attributionId === null ? {} : { property: scope.attributionId }),
        ...request,
      },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 20, max_memory_usage: 512 * 1024 * 1024 },
    },
    signal,
  );
}

const GENUINE = '(h.verified IS NULL OR h.verified = true)';

export interface EverSeen {
  readonly kind: 'bot' | 'engine';
  readonly name: string;
  /** Epoch milliseconds; of a day that is left in daily rows alone, its beginning. */
  readonly first_at: number;
}

/** Every bot and engine that ever came, spoofed visits aside, and the property's first visit. Reads all that is kept: once per property. */
export async function everSeen(
  warehouse: Warehouse,
  scope: Scope,
): Promise<{ readonly names: readonly EverSeen[]; readonly firstVisitAt: number | null }> {
  const rows = await warehouse.rows<{ class: TrafficHour['class']; name: string; first_at: number }>(
    'report',
    {
      sql: `SELECT class, name, min(first) AS first_at FROM (
  SELECT toString(h.class) AS class, toString(if(h.class = 'ai_bot', h.bot_name, h.referrer_engine)) AS name,
    toUnixTimestamp64Milli(min(h.at)) AS first
  FROM hits AS h
  WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} ${IS_REAL} AND ${GENUINE}
  GROUP BY class, name
  UNION ALL
  SELECT toString(h.class) AS class, toString(if(h.class = 'ai_bot', h.bot_name, h.referrer_engine)) AS name,
    toInt64(toUnixTimestamp(toDateTime(min(h.day), 'UTC'))) * 1000 AS first
  FROM daily_totals AS h
  WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} ${IS_REAL} AND ${GENUINE}
  GROUP BY class, name
) GROUP BY class, name ORDER BY first_at LIMIT ${MAX_NAMES}`,
      params: { organization: scope.organizationId, property: scope.attributionId },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 60, max_memory_usage: 512 * 1024 * 1024 },
    },
  );
  return {
    names: rows.flatMap(({ class: kind, name, first_at }) =>
      kind === 'sample' || kind === 'search_engine' || name === ''
        ? []
        : [{ kind: kind === 'ai_bot' ? ('bot' as const) : ('engine' as const), name, first_at }],
    ),
    firstVisitAt: rows.length === 0 ? null : Math.min(...rows.map(({ first_at }) => first_at)),
  };
}
