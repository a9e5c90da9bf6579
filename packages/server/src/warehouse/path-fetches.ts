/** Who fetched one path: the readers of a published document, by agent and by day. */
import type { HitClass } from '@ghostlight/core';
import { type Days, dateOf, sum } from '../common/index.ts';
import { type HitScope, IN_SCOPE, scopeParams } from './hits.ts';
import { dayOfHit } from './reports/days.ts';
import { NUMBERS_AS_NUMBERS } from './row.ts';
import type { Warehouse } from './warehouse.ts';

const MAX_AGENTS = 200;

export interface AgentFetches {
  /** The bot's name; empty for people and unnamed programs. */
  readonly agent: string;
  readonly class: HitClass;
  readonly verified: boolean | null;
  /** Estimated: a sample counts for as many visits as it stands for. */
  readonly fetches: number;
  /** Epoch milliseconds. */
  readonly last_at: number;
}

export interface PathFetches {
  /** Most fetches first, at most 200. */
  readonly items: readonly AgentFetches[];
  readonly total: number;
  /** Every day of the calendar that was asked for, oldest first, ending today. */
  readonly by_day: readonly { readonly day: string; readonly fetches: number }[];
}

/** @param request.days 1 to 90; the first day counts from its beginning  @param request.calendar whose days they are */
export async function pathFetches(
  warehouse: Warehouse,
  scope: HitScope,
  request: {
    readonly path: string;
    readonly days: number;
    readonly calendar: Pick<Days, 'startOf' | 'dayAt'>;
  },
  signal?: AbortSignal,
): Promise<PathFetches> {
  const { startOf, dayAt } = request.calendar;
  const today = dayAt(warehouse.clock());
  const days = Array.from({ length: request.days }, (_, index) => today - request.days + 1 + index);
  const params = {
    ...scopeParams(scope),
    path: request.path,
    from: startOf(days[0] ?? today),
    to: startOf(today + 1),
  };
  const settings = { ...NUMBERS_AS_NUMBERS, max_execution_time: 20, max_memory_usage: 512 * 1024 * 1024 };
  const where = `WHERE ${IN_SCOPE}
  AND h.at >= fromUnixTimestamp64Milli({from:Int64}) AND h.at < fromUnixTimestamp64Milli({to:Int64})
  AND h.path = {path:String}`;
  const [items, counted] = await Promise.all([
    warehouse.rows<AgentFetches>(
      'report',
      {
        sql: `SELECT h.bot_name AS agent, h.class AS class, h.verified AS verified, sum(h.weight) AS fetches,
  toUnixTimestamp64Milli(max(h.at)) AS last_at
FROM hits AS h ${where}
GROUP BY h.bot_name, h.class, h.verified
ORDER BY fetches DESC, agent, class LIMIT ${MAX_AGENTS}`,
        params,
        settings,
      },
      signal,
    ),
    warehouse.rows<{ day: number; fetches: number }>(
      'report',
      {
        sql: `SELECT toUInt32(${dayOfHit(days, startOf)}) AS day, sum(h.weight) AS fetches
FROM hits AS h ${where}
GROUP BY day`,
        params,
        settings,
      },
      signal,
    ),
  ]);
  const byDay = new Map(counted.map(({ day, fetches }) => [day, fetches]));
  return {
    items,
    total: sum(counted, ({ fetches }) => fetches),
    by_day: days.map((day) => ({ day: dateOf(day), fetches: byDay.get(day) ?? 0 })),
  };
}
