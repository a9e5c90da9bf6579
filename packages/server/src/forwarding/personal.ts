/**
 * Personal data goes when the last delivery of its conversion is over. A dead one may be mended and replayed, so it counts as over a week
 * later, or when the platform would not take it any more. What is deleted when, webhooks' retention sees to.
 */
import type { Database } from '../database/index.ts';
import type { AnyDestination } from '../destinations/index.ts';
import type { Clock } from '../kit/index.ts';
import { endPersonal } from '../webhooks/index.ts';

const DEAD_MS = 7 * 86_400_000;
/** Bound parameters per statement. */
const CHUNK = 500;

/** In the transaction that ends deliveries: whose conversions' personal data may be needed no more. @param conversionRows `cnv_…` */
export type LetGo = (trx: Database['kysely'], conversionRows: readonly string[]) => Promise<void>;

export function createLetGo(platforms: readonly AnyDestination[], clock: Clock): LetGo {
  const windows = new Map<string, number | null>(
    platforms.map((platform) => [platform.platform, platform.usualLimits().maxAgeMs]),
  );

  const chunk = async (trx: Database['kysely'], ids: readonly string[], now: number): Promise<void> => {
    const standing = await trx
      .selectFrom('deliveries')
      .innerJoin('conversions', 'conversions.id', 'deliveries.conversion_row')
      .select(['conversion_row', 'state', 'settled_at', 'occurred_at', 'deliveries.platform'])
      .where('conversion_row', 'in', ids)
      .where('state', 'not in', ['delivered', 'skipped', 'unknown'])
      .execute();
    const ends = new Map<string, number>(ids.map((id) => [id, now]));
    for (const { conversion_row: id, state, settled_at, occurred_at, platform } of standing) {
      const window = windows.get(platform) ?? null;
      const closes = window === null ? Number.POSITIVE_INFINITY : occurred_at + window;
      const end =
        state === 'dead' ? Math.min((settled_at ?? now) + DEAD_MS, closes) : Number.POSITIVE_INFINITY;
      ends.set(id, Math.max(ends.get(id) ?? now, end));
    }
    for (const [end, group] of Map.groupBy(ids, (id) => ends.get(id) ?? now))
      if (end !== Number.POSITIVE_INFINITY) await endPersonal(trx, group, end);
  };

  return async (trx, conversionRows) => {
    const ids = [...new Set(conversionRows)];
    const now = clock();
    for (let from = 0; from < ids.length; from += CHUNK) await chunk(trx, ids.slice(from, from + CHUNK), now);
  };
}
