/**
 * The rate limit of a key: GCRA, burst = limit, over all nodes. The state is one number in the key's own row, moved by one statement, so
 * that any number of requests at once are counted exactly. Nodes that share a database go by its clock: one whose own clock runs ahead
 * would otherwise spend the others' time.
 */
import { sql } from 'kysely';
import type { Clock } from '../common/index.ts';
import type { Database, GroupCommit } from '../database/index.ts';

const MINUTE_US = 60_000_000;

export interface Admission {
  readonly allowed: boolean;
  /** Requests per minute. */
  readonly limit: number;
  /** How many more would pass now. */
  readonly remaining: number;
  /** Seconds until all of the limit can be used again; where nothing remains, until one request passes. */
  readonly resetSeconds: number;
}

export interface RateLimits {
  /** Counts one request; a refused one moves nothing, so that who keeps knocking is let in as soon as who waits. null: just revoked. */
  take(keyId: string): Promise<Admission | null>;
}

/** Tables whose rows have `rate_limit` and `arrival_us`. Of a shop that was disconnected there is no row. */
type LimitedTable = 'webhook_keys' | 'webhook_shops';

/** @param clock null: the database's own, for several nodes */
export function createRateLimits(
  db: Database,
  {
    clock,
    commits,
    table = 'webhook_keys',
  }: { clock: Clock | null; commits: GroupCommit; table?: LimitedTable },
): RateLimits {
  const isLive = table === 'webhook_keys' ? sql<boolean>`revoked_at is null` : sql<boolean>`1 = 1`;
  const now = () => (clock === null ? db.adapter.now : sql<number>`cast(${clock() * 1_000} as bigint)`);

  return {
    async take(keyId) {
      const at = now();
      const next = sql<number>`case when arrival_us > ${at} then arrival_us else ${at} end + ${sql.lit(MINUTE_US)} / rate_limit`;
      const taken = await commits.run((trx) =>
        trx
          .updateTable(table)
          .set({ arrival_us: next })
          .where('id', '=', keyId)
          .where(isLive)
          .where(sql<boolean>`${next} - ${at} <= ${sql.lit(MINUTE_US)}`)
          .returning(['rate_limit', sql<number>`arrival_us - ${at}`.as('ahead_us')])
          .executeTakeFirst(),
      );
      if (taken !== undefined) return admission(taken.rate_limit, taken.ahead_us, true);
      const standing = await db.reader
        .selectFrom(table)
        .select(['rate_limit', sql<number>`arrival_us - ${at}`.as('ahead_us')])
        .where('id', '=', keyId)
        .where(isLive)
        .executeTakeFirst();
      return standing === undefined ? null : admission(standing.rate_limit, standing.ahead_us, false);
    },
  };
}

/** @param aheadUs how far the next arrival lies in the future */
function admission(limit: number, aheadUs: number, allowed: boolean): Admission {
  const interval = Math.floor(MINUTE_US / limit);
  const remaining = allowed ? Math.max(0, Math.floor((MINUTE_US - aheadUs) / interval)) : 0;
  const untilOne = Math.max(1, Math.ceil((aheadUs + interval - MINUTE_US) / 1e6));
  const untilAll = Math.max(0, Math.ceil(aheadUs / 1e6));
  return { allowed, limit, remaining, resetSeconds: remaining === 0 ? untilOne : untilAll };
}

/** The headers of every answer to a counted request: draft-ietf-httpapi-ratelimit-headers-10. */
export function rateLimitHeaders({
  limit,
  remaining,
  resetSeconds,
  allowed,
}: Admission): Record<string, string> {
  return {
    'RateLimit-Policy': `"webhook";q=${limit};w=60`,
    RateLimit: `"webhook";r=${remaining};t=${resetSeconds}`,
    ...(allowed ? {} : { 'Retry-After': String(resetSeconds) }),
  };
}
