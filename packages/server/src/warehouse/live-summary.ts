/** The last 30 minutes in numbers: the view holds a bounded list of rows, and must not take their count for the count of hits. */
import { MINUTE_MS } from '@ghostlight/core/time';
import { type HitScope, IN_SCOPE, scopeParams } from './hits.ts';
import {
  filterParams,
  LIVE_WINDOW_MS,
  type LiveRowFilter,
  passingEvents,
  passingHits,
  wantsEvents,
  wantsHits,
} from './live.ts';
import { NUMBERS_AS_NUMBERS } from './row.ts';
import type { Warehouse } from './warehouse.ts';

export const SUMMARY_MINUTES = 30;

/** Rows, not visits: a sample counts once, whatever its weight. */
export interface LiveCounts {
  readonly ai_bot: number;
  readonly ai_referral: number;
  readonly sample: number;
  readonly search_engine: number;
  /** Browser events. */
  readonly event: number;
  /** Those AI bots whose address or signature is not the vendor's. */
  readonly spoofed: number;
}

export interface MinuteCounts extends LiveCounts {
  /** The minute's start in UTC, epoch milliseconds. */
  readonly at: number;
}

export interface LiveSummary {
  /** After `from`, epoch milliseconds. Older visits that arrive now are in the list of Live alone. */
  readonly from: number;
  readonly to: number;
  /**
   * Over the whole window. It mostly begins within a minute: what was in that minute's rest is counted here and in none of
   * `minutes`, each of which is whole.
   */
  readonly totals: LiveCounts;
  /** 30, oldest first, ending with the minute that runs; those without a hit are there too. */
  readonly minutes: readonly MinuteCounts[];
}

const NONE: LiveCounts = { ai_bot: 0, ai_referral: 0, sample: 0, search_engine: 0, event: 0, spoofed: 0 };

const HIT_COUNTS = `countIf(h.class = 'ai_bot') AS ai_bot, countIf(h.class = 'ai_referral') AS ai_referral,
  countIf(h.class = 'sample') AS sample, countIf(h.class = 'search_engine') AS search_engine, toUInt64(0) AS event, countIf(h.class = 'ai_bot' AND h.verified = false) AS spoofed`;
const EVENT_COUNTS =
  'toUInt64(0) AS ai_bot, toUInt64(0) AS ai_referral, toUInt64(0) AS sample, toUInt64(0) AS search_engine, count() AS event, toUInt64(0) AS spoofed';

/**
 * Counts the visits of the last 30 minutes by the warehouse's clock, per minute and class, as far as they have arrived. Reads seven narrow columns of the granules
 * that the window touches (minmax index), and at most 31 rows of each table come back.
 */
export async function liveSummary(
  warehouse: Warehouse,
  scope: HitScope,
  filter: LiveRowFilter = {},
  signal?: AbortSignal,
): Promise<LiveSummary> {
  const to = warehouse.clock();
  const from = to - LIVE_WINDOW_MS;
  const current = Math.floor(to / MINUTE_MS) * MINUTE_MS;
  const counted = (counts: string, table: string, passing: string) =>
    // By its own time: an import brings visits of last month now. `least`: one that is ahead of this clock is of now.
    `SELECT least(intDiv(toUnixTimestamp64Milli(h.at), ${MINUTE_MS}) * ${MINUTE_MS}, {current:Int64}) AS at,
  ${counts}
FROM ${table} AS h
WHERE ${IN_SCOPE}
  AND h.received_at > fromUnixTimestamp64Milli({from:Int64}) AND h.at > fromUnixTimestamp64Milli({from:Int64})
  ${passing}
GROUP BY at`;
  const halves = [
    ...(wantsHits(filter) ? [counted(HIT_COUNTS, 'hits', passingHits(filter))] : []),
    ...(wantsEvents(filter) ? [counted(EVENT_COUNTS, 'events', passingEvents(filter))] : []),
  ];
  const nobody = scope.attributionIds.length === 0 || halves.length === 0;
  const rows = nobody
    ? []
    : await warehouse.rows<MinuteCounts>(
        'live',
        {
          sql: halves.map((half) => `SELECT * FROM (${half})`).join('\nUNION ALL\n'),
          params: { ...scopeParams(scope), ...filterParams(filter), from, current },
          settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10, max_memory_usage: 512 * 1024 * 1024 },
        },
        signal,
      );
  const byMinute = new Map<number, LiveCounts>();
  for (const row of rows) byMinute.set(row.at, add(byMinute.get(row.at) ?? NONE, row));
  const minutes = Array.from({ length: SUMMARY_MINUTES }, (_, index) => {
    const at = current - (SUMMARY_MINUTES - 1 - index) * MINUTE_MS;
    return { ...NONE, ...byMinute.get(at), at };
  });
  return { from, to, totals: rows.reduce(add, NONE), minutes };
}

function add(a: LiveCounts, b: LiveCounts): LiveCounts {
  return {
    ai_bot: a.ai_bot + b.ai_bot,
    ai_referral: a.ai_referral + b.ai_referral,
    sample: a.sample + b.sample,
    search_engine: a.search_engine + b.search_engine,
    event: a.event + b.event,
    spoofed: a.spoofed + b.spoofed,
  };
}
