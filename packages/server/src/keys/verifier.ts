/** From a presented key to a verdict: look-up by digest, comparison in constant time, an answer without waiting when it is known. */
import { timingSafeEqual } from 'node:crypto';
import { type Clock, within } from '../common/index.ts';
import { AWAY_GRACE_MS, createReadThrough } from '../database/index.ts';
import type { Settings } from '../sources/index.ts';
import { keyDigest, shownPrefix } from './format.ts';
import type { SenderAddress } from './last-used.ts';
import type { KeyCause, PresentedKey } from './presented.ts';

/** A key that was found good. */
export interface VerifiedKey {
  readonly id: string;
  readonly organizationId: string;
  /** The property that elements without an attribution id belong to. */
  readonly attributionId: string | null;
  readonly provider: string;
  /** The first characters, which may be shown and logged. */
  readonly prefix: string;
  /** What its owner has set for its source; absent: nothing. */
  readonly settings?: Settings;
}

export type KeyVerdict =
  | { readonly ok: true; readonly key: VerifiedKey }
  | {
      readonly ok: false;
      readonly cause: KeyCause;
      /** Whose key it was, if known; for the setup checker, never for the answer. */
      readonly organizationId: string | null;
      readonly prefix: string | null;
    };

/** A key as it is in its table. */
export interface KeyRecord extends VerifiedKey {
  readonly digest: string;
  readonly revoked: boolean;
  /** Epoch milliseconds from which on it counts as revoked; null or absent: it does not end by itself. */
  readonly expiresAt?: number | null;
}

export interface KeyVerifier {
  /**
   * The verdict when it is known without waiting; null: ask `verify`.
   * @param from whose network is noted with the use of a good key; left out: none is
   */
  peek(presented: PresentedKey, from?: SenderAddress): KeyVerdict | null;
  /** @throws when the database can't be asked, or too many unknown keys are being looked up */
  verify(presented: PresentedKey, from?: SenderAddress): Promise<KeyVerdict>;
  /** After a change of the key: the next verdict is read from the database. */
  forget(digest: string): void;
  /** The same for all keys. */
  forgetAll(): void;
}

/** A sender gets an answer within two seconds if its key can't be checked just now; what it waits for besides has the other second. */
export const VERIFY_MS = 1_000;

/**
 * A valid key is cached for at most 5 s, so a revocation holds on every node within 5 s and at once on the node that made it. While the
 * database fails or hangs, no key can be revoked either: valid keys are accepted for a minute more, those that this node knows to be revoked
 * never. A node that alone has lost the database learns of a revocation within that minute. An
 * unknown key is read through: at most 1 s is it unknown after another node issued it.
 * @param load the record with this digest (SHA-256, hex), from the table of this kind of key
 * @param onUse called for every valid key; must not wait
 */
export function createKeyVerifier({
  load,
  onUse,
  clock,
}: {
  load: (digest: string) => Promise<KeyRecord | undefined>;
  onUse: (keyId: string, from?: SenderAddress) => void;
  clock: Clock;
}): KeyVerifier {
  const records = createReadThrough<KeyRecord>({ load, clock, graceMs: AWAY_GRACE_MS });

  const judge = (
    presented: PresentedKey,
    text: string,
    digest: string,
    found: KeyRecord | null,
    from: SenderAddress | undefined,
  ): KeyVerdict => {
    const record = found !== null && sameDigest(found.digest, digest) ? found : null;
    if (!presented.ok) return refused(presented.cause, record, text);
    if (record === null) return refused('unknown', null, text);
    const hasEnded = (record.expiresAt ?? Number.POSITIVE_INFINITY) <= clock();
    if (record.revoked || hasEnded) return refused('revoked', record, text);
    onUse(record.id, from);
    const { id, organizationId, attributionId, provider, prefix, settings } = record;
    const key = { id, organizationId, attributionId, provider, prefix };
    return { ok: true, key: settings === undefined ? key : { ...key, settings } };
  };

  return {
    peek(presented, from) {
      const text = presented.ok ? presented.key : presented.candidate;
      if (text === null) return presented.ok ? null : refused(presented.cause, null, null);
      const digest = digestOf(presented, text);
      const found = records.peek(digest);
      return found === undefined ? null : judge(presented, text, digest, found, from);
    },
    async verify(presented, from) {
      const text = presented.ok ? presented.key : presented.candidate;
      if (text === null) return refused(presented.ok ? 'missing' : presented.cause, null, null);
      const digest = digestOf(presented, text);
      return judge(presented, text, digest, await within(VERIFY_MS, records.get(digest)), from);
    },
    forget: (digest) => records.forget(digest),
    forgetAll: records.forgetAll,
  };
}

function digestOf(presented: PresentedKey, text: string): string {
  if (!presented.ok) return keyDigest(text);
  presented.digest ??= keyDigest(text);
  return presented.digest;
}

function refused(cause: KeyCause, record: KeyRecord | null, text: string | null): KeyVerdict {
  return {
    ok: false,
    cause,
    organizationId: record?.organizationId ?? null,
    prefix: record?.prefix ?? (text === null ? null : shownPrefix(text)),
  };
}

/** Two hex digests; a comparison that stops at the first difference would tell a guesser how far they got. */
function sameDigest(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}
