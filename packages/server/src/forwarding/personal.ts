/**
 * Personal data is deleted when the last delivery of its conversion has ended. A dead one may be fixed and replayed, so it counts as over a week
 * later, or when the platform would not take it any more. Decided by the rows, and not where they change: an end that
 * was not announced, such as a crash, is one nevertheless. What is to be deleted when, webhooks' retention then sees to.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { DAY_MS } from '@ghostlight/core/time';
import { type SqlBool, sql } from 'kysely';
import type { Clock } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { AnyDestination } from '../destinations/index.ts';
import { endPersonal } from '../webhooks/index.ts';

const DEAD_MS = 7 * DAY_MS;
/** Conversions per statement: a longer one would keep others waiting on SQLite. */
const PAGE = 500;

export async function endPersonalOfOver(
  database: Database,
  platforms: readonly AnyDestination[],
  clock: Clock,
): Promise<void> {
  const windows = new Map<string, number | null>(
    platforms.map((platform) => [platform.platform, platform.usualLimits().maxAgeMs]),
  );
  for (let after = ''; ; await turn()) {
    const ids = await withPersonal(database, after);
    const now = clock();
    const ends = endsOf(await deliveriesOf(database, ids), windows, now);
    for (const [end, group] of Map.groupBy(ends.keys(), (id) => ends.get(id) ?? now))
      if (end !== Number.POSITIVE_INFINITY) await endPersonal(database.kysely, group, end);
    after = ids.at(-1) ?? '';
    if (ids.length < PAGE) return;
  }
}

/** Matched ones: the others have no delivery, and end by their retention alone. */
async function withPersonal({ reader }: Database, after: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('conversions')
    .select('id')
    // Spelt as in the partial index `conversions_forwarded`.
    .where(sql<SqlBool>`session_matched = 1 and personal_until is not null`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute();
  return rows.map(({ id }) => id);
}

type Standing = Awaited<ReturnType<typeof deliveriesOf>>[number];

async function deliveriesOf({ reader }: Database, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await reader
    .selectFrom('deliveries')
    .innerJoin('conversions', 'conversions.id', 'deliveries.conversion_row')
    .select(['conversion_row', 'state', 'settled_at', 'occurred_at', 'deliveries.platform'])
    .where('conversion_row', 'in', ids)
    .execute();
}

/** Of those that have deliveries: when the last of them is over, epoch ms; infinity while one is on its way. */
function endsOf(
  deliveries: readonly Standing[],
  windows: ReadonlyMap<string, number | null>,
  now: number,
): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { conversion_row: id, state, settled_at, occurred_at, platform } of deliveries) {
    const isOver = state === 'delivered' || state === 'skipped' || state === 'unknown';
    const window = windows.get(platform) ?? null;
    const closes = window === null ? Number.POSITIVE_INFINITY : occurred_at + window;
    const dead = Math.min((settled_at ?? now) + DEAD_MS, closes);
    const end = isOver ? now : state === 'dead' ? dead : Number.POSITIVE_INFINITY;
    ends.set(id, Math.max(ends.get(id) ?? now, end));
  }
  return ends;
}
