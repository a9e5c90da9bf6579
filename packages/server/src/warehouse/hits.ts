/** Reading hits. Every query is bound to an organization and to the properties that the caller resolved for it. */

import type { HitClass, Source, StoredHit } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { sum } from '../common/index.ts';
import { HIT_COLUMNS, NUMBERS_AS_NUMBERS, selectList } from './row.ts';
import type { Warehouse } from './warehouse.ts';

/** Whose hits. An empty list of properties has no hits. */
export interface HitScope {
  readonly organizationId: string;
  /** At most 1,000. */
  readonly attributionIds: readonly string[];
}

const MAX_PROPERTIES = 1000;
export const EXPORT_PAGE_ROWS = 50_000;

export interface ExportRequest {
  /** By the visit's time, epoch milliseconds; `to` is not included. */
  readonly from: number;
  readonly to: number;
  /** Absent: all. Browser events are no hits: naming their class alone gives none. */
  readonly classes?: readonly string[];
  /** Default 50,000; smaller in tests. */
  readonly pageRows?: number;
}

/**
 * Stored hits in the order (property, time, id), one page at a time: memory is bounded by the page whatever the range. Pages are keyset
 * reads, so rows that arrive meanwhile neither repeat nor hide others.
 */
export async function* exportHits(
  warehouse: Warehouse,
  scope: HitScope,
  request: ExportRequest,
  signal?: AbortSignal,
): AsyncGenerator<readonly StoredHit[]> {
  if (request.classes?.length === 0) return;
  yield* pagesOf<StoredHit>(warehouse, scope, request, signal, {
    from: `${selectList(HIT_COLUMNS)} FROM hits AS h`,
    where:
      request.classes === undefined
        ? IS_HIT
        : `${IS_HIT} AND has({classes:Array(String)}, toString(h.class))`,
    params: { classes: request.classes ?? [] },
  });
}

/** Rows of a table of facts, `h`, a page at a time. */
export async function* pagesOf<Row extends { readonly id: string; readonly at: number }>(
  warehouse: Warehouse,
  scope: HitScope,
  request: Omit<ExportRequest, 'classes'>,
  signal: AbortSignal | undefined,
  { from, where, params }: { from: string; where: string; params: Readonly<Record<string, unknown>> },
): AsyncGenerator<readonly Row[]> {
  const pageRows = request.pageRows ?? EXPORT_PAGE_ROWS;
  for (const attributionId of checked(scope).attributionIds.toSorted()) {
    let last: Row | undefined;
    do {
      const page: Row[] = await warehouse.rows<Row>(
        'report',
        {
          sql: `SELECT ${from}
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID}
  AND h.at >= fromUnixTimestamp64Milli({from:Int64}) AND h.at < fromUnixTimestamp64Milli({to:Int64})
  ${where}
  ${last === undefined ? '' : 'AND (h.at, h.id) > (fromUnixTimestamp64Milli({from:Int64}), {id:UUID})'}
ORDER BY h.attribution_id, h.at, h.id
LIMIT {limit:UInt32}`,
          params: {
            organization: scope.organizationId,
            property: attributionId,
            from: last?.at ?? request.from,
            to: request.to,
            ...params,
            id: last?.id ?? '',
            limit: pageRows,
          },
          settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 120, max_memory_usage: 1024 * 1024 * 1024 },
        },
        signal,
      );
      if (page.length > 0) yield page;
      last = page.length < pageRows ? undefined : page.at(-1);
    } while (last !== undefined);
  }
}

/** What the newest hit of a source looked like, and how many came within 24 hours. */
export interface Arrival
  extends Pick<StoredHit, 'source' | 'bot_name' | 'class' | 'user_agent' | 'host' | 'worker_version'> {
  /** Epoch milliseconds. */
  readonly last_received_at: number;
  readonly count_24h: number;
}

/** One entry per source that delivered anything but tests within the last 31 days (older hits are not taken). */
export async function lastArrivals(
  warehouse: Warehouse,
  scope: HitScope,
  signal?: AbortSignal,
): Promise<Arrival[]> {
  if (scope.attributionIds.length === 0) return [];
  return await warehouse.rows<Arrival>(
    'live',
    {
      sql: `SELECT h.source AS source, toUnixTimestamp64Milli(max(h.received_at)) AS last_received_at,
  argMax(h.bot_name, h.received_at) AS bot_name, argMax(h.class, h.received_at) AS class,
  argMax(h.user_agent, h.received_at) AS user_agent, argMax(h.host, h.received_at) AS host,
  argMax(h.worker_version, h.received_at) AS worker_version,
  countIf(h.received_at > fromUnixTimestamp64Milli({day:Int64})) AS count_24h
FROM hits AS h
WHERE ${IN_SCOPE} ${IS_REAL} AND h.received_at > fromUnixTimestamp64Milli({month:Int64})
GROUP BY h.source ORDER BY last_received_at DESC, source`,
      params: {
        ...scopeParams(scope),
        day: warehouse.clock() - DAY_MS,
        month: warehouse.clock() - 31 * DAY_MS,
      },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10, max_memory_usage: 512 * 1024 * 1024 },
    },
    signal,
  );
}

/** When a test visit arrived last, epoch milliseconds; null: none did within 31 days. */
export async function lastTestAt(
  warehouse: Warehouse,
  scope: HitScope,
  signal?: AbortSignal,
): Promise<number | null> {
  if (scope.attributionIds.length === 0) return null;
  const [row] = await warehouse.rows<{ at: number }>(
    'live',
    {
      sql: `SELECT toUnixTimestamp64Milli(max(h.received_at)) AS at FROM hits AS h
WHERE ${IN_SCOPE} AND h.class = 'test' AND h.received_at > fromUnixTimestamp64Milli({month:Int64})`,
      params: { ...scopeParams(scope), month: warehouse.clock() - 31 * DAY_MS },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10 },
    },
    signal,
  );
  return row === undefined || row.at <= 0 ? null : row.at;
}

/** When the first hit of all that is no test was, epoch milliseconds; null: there is none. Reads the beginning of the sorting key alone. */
export async function firstHitAt(
  warehouse: Warehouse,
  scope: { readonly organizationId: string; readonly attributionId: string },
  signal?: AbortSignal,
): Promise<number | null> {
  const [row] = await warehouse.rows<{ at: number }>(
    'live',
    {
      sql: `SELECT toUnixTimestamp64Milli(h.at) AS at FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} AND h.class != 'test'
ORDER BY h.attribution_id, h.at LIMIT 1`,
      params: { organization: scope.organizationId, property: scope.attributionId },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10 },
    },
    signal,
  );
  return row?.at ?? null;
}

/** Whether a bot was proven genuine since a moment; epoch milliseconds. Stops at the first that was. */
export async function hasVerifiedVisit(
  warehouse: Warehouse,
  scope: { readonly organizationId: string; readonly attributionId: string },
  since: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const rows = await warehouse.rows(
    'live',
    {
      sql: `SELECT 1 AS found FROM hits AS h
WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID}
  AND h.at >= fromUnixTimestamp64Milli({since:Int64}) AND h.class = 'ai_bot' AND h.verified = true
LIMIT 1`,
      params: { organization: scope.organizationId, property: scope.attributionId, since },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10 },
    },
    signal,
  );
  return rows.length > 0;
}

export interface StoredCount {
  readonly source: Source;
  readonly class: HitClass | 'counted';
  readonly count: number;
}

/** All rows by endpoint and class, for the conservation law: kept = stored after the drain. Not bound to a scope: operators only. */
export async function storedCounts(warehouse: Warehouse): Promise<StoredCount[]> {
  return await warehouse.rows<StoredCount>('report', {
    sql: 'SELECT source, class, count() AS count FROM hits GROUP BY source, class ORDER BY source, class',
    settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 60 },
  });
}

/** The sum of `storedCounts`. */
export async function storedCount(warehouse: Warehouse): Promise<number> {
  return sum(await storedCounts(warehouse), ({ count }) => count);
}

/** Rows of numbers are no hits: each counts other requests of a quarter of an hour. */
export const IS_HIT = `AND h.class != 'counted'`;
/** Hits that really happened: a test that a sender made up did not. */
export const IS_REAL = `AND h.class NOT IN ('counted', 'test')`;

/** The conditions that bind a query on `hits AS h` to a scope; with `scopeParams`. */
export const IN_SCOPE =
  'h.organization_id = {organization:UUID} AND h.attribution_id IN {properties:Array(UUID)}';

function checked(scope: HitScope): HitScope {
  if (scope.attributionIds.length > MAX_PROPERTIES) {
    throw new RangeError(`At most ${MAX_PROPERTIES} properties in one query`);
  }
  return scope;
}

export const scopeParams = (scope: HitScope) => ({
  organization: scope.organizationId,
  properties: checked(scope).attributionIds,
});
