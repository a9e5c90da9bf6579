/** The last 30 minutes by arrival: hits and browser events in one list. */
import type { HitClass, Source, StoredHit } from '@ghostlight/core';
import { MINUTE_MS } from '@ghostlight/core/time';
import { type HitScope, IN_SCOPE, IS_HIT, scopeParams } from './hits.ts';
import { NUMBERS_AS_NUMBERS, selectList } from './row.ts';
import type { Warehouse } from './warehouse.ts';

/** Live shows what arrived within this time. */
export const LIVE_WINDOW_MS = 30 * MINUTE_MS;
/** Another node's shipper may store a row later than one that arrived after it: each look reads this much again. */
export const LIVE_OVERLAP_MS = 10_000;
export const LIVE_LIMIT = 500;
/** Ids to leave out: what a client saw within the overlap, bounded like the page itself. */
const MAX_SEEN = 2000;

const LIVE_COLUMNS = [
  'id',
  'at',
  'received_at',
  'attribution_id',
  'class',
  'bot_name',
  'vendor',
  'engine',
  'intent',
  'verified',
  'verified_by',
  'verdict_reason',
  'ranges_as_of',
  'method',
  'host',
  'path',
  'status',
  'country',
  'user_agent',
  'referrer_engine',
  'source',
  'waf_action',
  'asn',
  'signature_agent',
  'sample_rate',
  'list_version',
] as const satisfies readonly (keyof StoredHit)[];

/** What a row of Live is: a hit of one of the classes, or a browser event. */
export type LiveClass = HitClass | 'event';
export type LiveSource = Source | 'browser';

/** A line of the Live view; times are epoch milliseconds. */
export interface LiveHit extends Omit<Pick<StoredHit, (typeof LIVE_COLUMNS)[number]>, 'class' | 'source'> {
  readonly class: LiveClass;
  readonly source: LiveSource;
  /** Empty for hits. */
  readonly event_name: string;
  /** A browser event that a machine sent; hits from the edge never are one. */
  readonly sdk_bot: boolean;
}

/** Which rows of the Live window are meant; absent: all. */
export interface LiveRowFilter {
  readonly classes?: readonly LiveClass[];
  readonly source?: LiveSource;
  /** Bot name, in any letter case. */
  readonly bot?: string;
  /** A verdict on bots; people have none. */
  readonly verified?: 'true' | 'false' | 'unknown';
}

export interface LiveRequest extends LiveRowFilter {
  /** 1 to 500; default 100. */
  readonly limit?: number;
  /** Cursor of an earlier answer: only what arrived since, less the overlap. */
  readonly after?: number;
  /** Ids already seen (`seen` of the caller's last 10 s); they are left out. At most 2,000, the newest count. */
  readonly seen?: readonly string[];
  /** Older than this row: `received_at` and `id` of the last one shown. */
  readonly before?: { readonly received_at: number; readonly id: string };
}

export interface LivePage {
  /** Newest arrival first. */
  readonly items: readonly LiveHit[];
  /** Hand it back as `after`: the newest `received_at` so far, epoch milliseconds. */
  readonly cursor: number;
  /** The limit was reached: there is more behind the last item. */
  readonly more: boolean;
}

const HIT_SELECT = `${selectList(LIVE_COLUMNS)}, '' AS event_name, false AS sdk_bot`
  // The two halves of a union must agree on their types, and enumerations of different words don't.
  .replace(/h\.(class|intent|verified_by|source) AS/g, 'toString(h.$1) AS');

const EVENT_SELECT = `h.id AS id, toUnixTimestamp64Milli(h.at) AS at, toUnixTimestamp64Milli(h.received_at) AS received_at,
  h.attribution_id AS attribution_id, 'event' AS class, h.bot_name AS bot_name, h.vendor AS vendor, '' AS engine,
  toString(h.intent) AS intent, CAST(NULL, 'Nullable(Bool)') AS verified, '' AS verified_by, '' AS verdict_reason, '' AS ranges_as_of, '' AS method, h.host AS host,
  h.path AS path, toUInt16(0) AS status, '' AS country, h.user_agent AS user_agent, '' AS referrer_engine, 'browser' AS source, '' AS waf_action,
  toUInt32(0) AS asn, '' AS signature_agent, toFloat64(0) AS sample_rate, toUInt32(0) AS list_version,
  h.event_name AS event_name, h.sdk_bot AS sdk_bot`;

/**
 * The newest arrivals of the last 30 minutes by the warehouse's clock. The engine reads only the granules whose arrivals touch the window
 * (minmax index), not the property's history; each table gives its newest rows, and the newest of both are the page.
 */
export async function liveHits(
  warehouse: Warehouse,
  scope: HitScope,
  request: LiveRequest = {},
  signal?: AbortSignal,
): Promise<LivePage> {
  const limit = Math.min(Math.max(Math.trunc(request.limit ?? 100), 1), LIVE_LIMIT);
  const windowStart = warehouse.clock() - LIVE_WINDOW_MS;
  const after = request.after ?? windowStart;
  const empty = { items: [], cursor: after, more: false };
  const { before, seen = [] } = request;
  const newest = (select: string, table: string, passing: string) => `SELECT ${select} FROM ${table} AS h
WHERE ${IN_SCOPE}
  AND h.received_at > fromUnixTimestamp64Milli({from:Int64})
  ${passing}
  ${seen.length === 0 ? '' : 'AND h.id NOT IN {seen:Array(UUID)}'}
  ${before === undefined ? '' : 'AND (h.received_at, h.id) < (fromUnixTimestamp64Milli({before:Int64}), {beforeId:UUID})'}
ORDER BY h.received_at DESC, h.id DESC
LIMIT {limit:UInt32}`;
  const halves = [
    ...(wantsHits(request) ? [newest(HIT_SELECT, 'hits', passingHits(request))] : []),
    ...(wantsEvents(request) ? [newest(EVENT_SELECT, 'events', passingEvents(request))] : []),
  ];
  if (scope.attributionIds.length === 0 || halves.length === 0) return empty;
  const rows = await warehouse.rows<LiveHit>(
    'live',
    {
      sql:
        halves.length === 1
          ? (halves[0] ?? '')
          : `SELECT * FROM (${halves.map((half) => `SELECT * FROM (${half})`).join('\nUNION ALL\n')}) AS l
ORDER BY l.received_at DESC, l.id DESC LIMIT {limit:UInt32}`,
      params: {
        ...scopeParams(scope),
        from: Math.max(windowStart, after - (request.after === undefined ? 0 : LIVE_OVERLAP_MS)),
        ...filterParams(request),
        seen: seen.slice(-MAX_SEEN),
        before: before?.received_at ?? 0,
        beforeId: before?.id ?? '00000000-0000-0000-0000-000000000000',
        limit: limit + 1,
      },
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10, max_memory_usage: 512 * 1024 * 1024 },
    },
    signal,
  );
  const items = rows.slice(0, limit);
  return { items, cursor: Math.max(after, items[0]?.received_at ?? 0), more: rows.length > limit };
}

const VERDICTS = {
  true: 'h.verified = true',
  false: 'h.verified = false',
  unknown: 'h.verified IS NULL',
} as const;

/** Whether a filter lets any hit through. */
export function wantsHits({ classes, source }: LiveRowFilter): boolean {
  return source !== 'browser' && (classes === undefined || classes.some((name) => name !== 'event'));
}

/** Whether a filter lets any event through: they have no verdict. */
export function wantsEvents({ classes, source, verified }: LiveRowFilter): boolean {
  const wanted = classes === undefined || classes.includes('event');
  return wanted && verified === undefined && (source === undefined || source === 'browser');
}

/** The conditions of a filter on `hits AS h`; with `filterParams`. */
export function passingHits({ classes, source, bot, verified }: LiveRowFilter): string {
  return `${IS_HIT} ${classes === undefined ? '' : 'AND has({classes:Array(String)}, toString(h.class))'}
  ${source === undefined ? '' : 'AND h.source = {source:String}'}
  ${bot === undefined ? '' : BOT}
  ${verified === undefined ? '' : `AND h.class IN ('ai_bot', 'search_engine') AND ${VERDICTS[verified]}`}`;
}

/** The same on `events AS h`. */
export function passingEvents({ bot }: LiveRowFilter): string {
  return bot === undefined ? '' : BOT;
}

const BOT = 'AND lowerUTF8(h.bot_name) = lowerUTF8({bot:String})';

export const filterParams = ({ classes, source, bot }: LiveRowFilter) => ({
  classes: classes ?? [],
  source: source ?? '',
  bot: bot ?? '',
});
