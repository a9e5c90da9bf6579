/** Which failing pages answer well again: what is no longer wrong is not asked to be fixed. */
import { type FailingPageRow, type PageDay, pageDays } from '../warehouse/index.ts';
import type { ReportContext } from './context.ts';
import { MANIFEST_PATH } from './failure-reason.ts';

/** Fewer visits than this may be luck, or a cache. */
const FEWEST = 3;
/** If the cause were still there, a run of successes would be less likely than this. */
const LUCK = 0.01;

/**
 * When a page began to answer well again, epoch milliseconds; null: it may still fail.
 * @param share of its visits that failed @param days what was answered, of all days until now
 */
export function fixedSince(share: number, days: readonly PageDay[]): number | null {
  const last = Math.max(0, ...days.filter(({ failed }) => failed === 1).map(({ last_at: at }) => at));
  const later = days.filter(({ failed, last_at: at }) => failed === 0 && at > last);
  // Of a day that had both, only the last success is known to be later.
  const well = later.reduce((sum, day) => sum + (day.first_at > last ? day.hits : 1), 0);
  if (well < FEWEST || (1 - share) ** well > LUCK) return null;
  return Math.min(...later.map(({ first_at: first, last_at: at }) => (first > last ? first : at)));
}

export interface Fixed {
  /** By the number of a page: since when it answers well, epoch milliseconds. */
  readonly since: ReadonlyMap<string, number>;
  /** Whether a manifest is published for the host. */
  isPublished(host: string): boolean;
}

/** Of failing pages those that answer well since, up to now, whatever period and filters were asked for. */
export async function readFixed(context: ReportContext, rows: readonly FailingPageRow[]): Promise<Fixed> {
  const since = new Map<string, number>();
  if (rows.length === 0) return { since, isPublished: () => false };
  const { warehouse, signal, plan, property, now } = context;
  // Most readers look at a period that ends today: it has all that is asked for.
  const until = plan.to >= plan.dayAt(now) ? { ...context, filter: {} } : await context.everything();
  const [days, manifest] = await Promise.all([
    pageDays(
      warehouse,
      until,
      rows.map(({ number }) => number),
      signal,
    ),
    rows.some(({ path }) => path === MANIFEST_PATH) ? context.manifest(property) : null,
  ]);
  const byPage = Map.groupBy(days, ({ page }) => page);
  const isPublished = (host: string): boolean => manifest?.hosts.includes(host) === true;
  for (const { number, path, host, failures, hits, last_at: last } of rows) {
    const published = path === MANIFEST_PATH && isPublished(host) ? (manifest?.publishedAt ?? 0) : 0;
    const at =
      published > last ? published : fixedSince(Math.min(1, failures / hits), byPage.get(number) ?? []);
    if (at !== null) since.set(number, at);
  }
  return { since, isPublished };
}
