/**
 * Which log push uploads were taken, over all nodes. A redelivered batch may reach another node, whose own spool has never seen the
 * digest; so a node claims (scope, digest) before its upload takes effect and confirms after. A node that restarts first completes what its
 * spool has already recorded and frees the rest of what it held; the claims of a node that stays away are free when their lease ends.
 */
import { HOUR_MS } from '@ghostlight/core/time';
import type { Clock } from '../common/index.ts';
import type { Database } from './database.ts';

/** Longer than any redelivery by Cloudflare. */
const KEEP_MS = 48 * HOUR_MS;
const EXPIRE_CHUNK = 5_000;

/**
 * `claimed`: go on, then `confirm` once the upload is on disk (from now on it is taken) or `release` when it came to nothing (the next
 * one may claim it at once). `taken`: already stored, answer 204. `busy`: another upload of it is under way, answer 503.
 */
export type Claim =
  | { readonly state: 'claimed'; confirm(): Promise<void>; release(): Promise<void> }
  | { readonly state: 'taken' }
  | { readonly state: 'busy' };

export interface BatchClaims {
  /** @param scope the ingest key's id. @param digest SHA-256 (hex) of the decompressed body */
  claim(scope: string, digest: string): Promise<Claim>;
  /** Removes claims older than 48 h. @returns how many */
  expire(): Promise<number>;
  /**
   * At start, before the first request: digests that this node's spool has on disk are `taken`. What it had claimed besides was cut off
   * by its end and is free: Cloudflare gives a batch up within minutes, so a redelivery can't wait for the lease.
   */
  completeFrom(recorded: Iterable<{ scope: string; digest: string }>): Promise<void>;
}

export function createBatchClaims(
  db: Database,
  { node, clock, leaseMs }: { node: string; clock: Clock; leaseMs: number },
): BatchClaims {
  const taken = async (scope: string, digest: string): Promise<void> => {
    const row = { state: 'taken', node, lease_until: 0, at: clock() } as const;
    await db.kysely
      .insertInto('logpush_claims')
      .values({ scope, digest, organization_id: null, ...row })
      .onConflict((conflict) => conflict.columns(['scope', 'digest']).doUpdateSet(row))
      .execute();
  };

  // The lease names the claim: one that ran out and was won by another upload of this node is not ours to give back.
  const release = async (scope: string, digest: string, leaseUntil: number): Promise<void> => {
    await db.kysely
      .deleteFrom('logpush_claims')
      .where('scope', '=', scope)
      .where('digest', '=', digest)
      .where('state', '=', 'taking')
      .where('node', '=', node)
      .where('lease_until', '=', leaseUntil)
      .execute();
  };

  return {
    async claim(scope, digest) {
      const now = clock();
      const row = { state: 'taking', node, lease_until: now + leaseMs, at: now } as const;
      // One statement decides: of any number of claims at the same instant exactly one changes a row.
      const result = await db.kysely
        .insertInto('logpush_claims')
        .values({ scope, digest, organization_id: null, ...row })
        .onConflict((conflict) =>
          conflict
            .columns(['scope', 'digest'])
            .doUpdateSet(row)
            .where(({ and, eb, or }) =>
              or([
                and([eb('logpush_claims.state', '=', 'taking'), eb('logpush_claims.lease_until', '<', now)]),
                eb('logpush_claims.at', '<', now - KEEP_MS),
              ]),
            ),
        )
        .executeTakeFirst();
      if (Number(result.numInsertedOrUpdatedRows ?? 0n) > 0) {
        return {
          state: 'claimed',
          confirm: () => taken(scope, digest),
          release: () => release(scope, digest, row.lease_until),
        };
      }
      const standing = await db.kysely
        .selectFrom('logpush_claims')
        .select('state')
        .where('scope', '=', scope)
        .where('digest', '=', digest)
        .executeTakeFirst();
      // Gone in between: its holder released it, and the platform's next delivery will find it free.
      return { state: standing?.state === 'taken' ? 'taken' : 'busy' };
    },
    async expire() {
      let removed = 0;
      for (;;) {
        const old = await db.kysely
          .selectFrom('logpush_claims')
          .select(['scope', 'digest'])
          .where('at', '<', clock() - KEEP_MS)
          .limit(EXPIRE_CHUNK)
          .execute();
        if (old.length === 0) return removed;
        const scopes = [...new Set(old.map(({ scope }) => scope))];
        const { numDeletedRows } = await db.kysely
          .deleteFrom('logpush_claims')
          .where('at', '<', clock() - KEEP_MS)
          .where('scope', 'in', scopes)
          .executeTakeFirst();
        removed += Number(numDeletedRows);
      }
    },
    async completeFrom(recorded) {
      for (const { scope, digest } of recorded) await taken(scope, digest);
      await db.kysely
        .deleteFrom('logpush_claims')
        .where('state', '=', 'taking')
        .where('node', '=', node)
        .execute();
    },
  };
}
