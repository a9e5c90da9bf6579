/** What agents and collectors fetch: the signed manifest and the key set, byte for byte. */
import { createHash } from 'node:crypto';
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Clock, type Log, ServiceError } from '../common/index.ts';
import { createReadThrough, type Database } from '../database/index.ts';
import { type Publications, RENEW_BELOW_MS } from './publications.ts';

export interface PublicDocument {
  readonly text: string;
  /** With its quotes. */
  readonly etag: string;
}

/** Ids are taken in any letter case; what is no id has no document. */
export interface Documents {
  /** null: nothing is published. @throws ServiceError `unavailable` when it has expired and can't be signed again */
  manifest(attributionId: string): Promise<PublicDocument | null>;
  /** null: the property has no key. */
  jwks(attributionId: string): Promise<PublicDocument | null>;
  /** After a change on this node: a look-up under way may have read what was before. */
  forget(attributionId: string): void;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A manifest that can't be signed again is not tried at every request. */
const RETRY_MS = MINUTE_MS;
const MAX_RETRIES_KEPT = 1_000;

/**
 * No cache: a rotated key must be gone on every node at once, and a read by primary key takes 0.03 to 0.13 ms embedded, for 4 to 90 KB
 * (measured). What the read-through brings is its bound on look-ups at a time, and one look-up for all who ask for the same document
 * meanwhile. Nothing is as young as -1 ms.
 */
const UNCACHED = { positiveMs: -1, negativeMs: -1, maxEntries: 1 } as const;

export function createDocuments({
  database,
  publications,
  clock,
  log,
}: {
  database: Database;
  publications: Pick<Publications, 'renew'>;
  clock: Clock;
  log: Log;
}): Documents {
  const manifests = createReadThrough({
    ...UNCACHED,
    clock,
    load: (id) =>
      database.reader
        .selectFrom('webmcp_manifests')
        .select(['organization_id', 'document', 'etag', 'expires_at'])
        .where('attribution_id', '=', id)
        .executeTakeFirst(),
  });
  const keys = createReadThrough({
    ...UNCACHED,
    clock,
    load: (id) =>
      database.reader
        .selectFrom('webmcp_keys')
        .select('public_jwk')
        .where('attribution_id', '=', id)
        .executeTakeFirst(),
  });
  const renewals = new Map<string, { readonly at: number; readonly work: Promise<void> }>();

  /** The hourly job does this; here only a service that was down for half a day, or that lost its clock. */
  const renew = (id: string, organizationId: string): Promise<void> => {
    const now = clock();
    const last = renewals.get(id);
    // Those who ask meanwhile wait for the same attempt.
    if (last !== undefined && now - last.at < RETRY_MS) return last.work;
    if (renewals.size >= MAX_RETRIES_KEPT) renewals.clear();
    const work = publications.renew({ id, organizationId }).catch((error: unknown) => {
      log.warn({ err: error, attributionId: id }, 'a published manifest could not be signed again');
    });
    renewals.set(id, { at: now, work });
    return work;
  };

  return {
    async manifest(attributionId) {
      const id = attributionId.toLowerCase();
      if (!UUID.test(id)) return null;
      let row = await manifests.get(id);
      if (row !== null && row.expires_at - clock() < RENEW_BELOW_MS) {
        await renew(id, row.organization_id);
        row = await manifests.get(id);
      }
      if (row === null) return null;
      if (row.expires_at <= clock())
        throw new ServiceError('unavailable', 'The manifest has expired and could not be signed again.', {
          headers: { 'Retry-After': '60' },
        });
      return { text: row.document, etag: row.etag };
    },
    async jwks(attributionId) {
      const id = attributionId.toLowerCase();
      const row = UUID.test(id) ? await keys.get(id) : null;
      if (row === null) return null;
      const text = `{"keys":[${row.public_jwk}]}`;
      return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 32)}"` };
    },
    forget(attributionId) {
      manifests.forget(attributionId);
      keys.forget(attributionId);
      renewals.delete(attributionId);
    },
  };
}
