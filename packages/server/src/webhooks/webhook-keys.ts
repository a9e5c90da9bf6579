/** Webhook keys: issued once for one property, stored as prefix and digest, each with a rate limit of its own. */
import { randomUUID } from 'node:crypto';
import { type Caller, type Clock, type Log, ServiceError } from '../common/index.ts';
import { audit, auditChange, changesOf, type Database, type Row } from '../database/index.ts';
import { createKeyVerifier, createLastUsed, generateKey, type KeyVerifier } from '../keys/index.ts';
import type { Owner } from '../properties/index.ts';

/** Requests per minute. The most is far above what one sender's shop makes, and what one row of the database can count. */
export const RATE_LIMIT = { least: 1, most: 100_000, default: 60 } as const;
/** More keys than this in one property are a mistake of a script. */
const MAX_LISTED = 1_000;
const PROVIDER = 'webhook';

export interface WebhookKeyView {
  readonly id: string;
  readonly attributionId: string;
  readonly name: string;
  readonly prefix: string;
  /** Requests per minute. */
  readonly rateLimit: number;
  /** Epoch milliseconds, as the others. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** The network of that use. */
  readonly lastUsedFrom: string | null;
  readonly revokedAt: number | null;
}

export interface WebhookKeys extends KeyVerifier {
  issue(
    owner: Owner,
    actor: Caller['actor'],
    key: { readonly name: string; readonly rateLimit: number },
  ): Promise<WebhookKeyView & { readonly key: string }>;
  /** Newest first, revoked ones included; at most 1,000. */
  list(owner: Owner): Promise<WebhookKeyView[]>;
  /** @throws ServiceError `not_found`, `conflict` for a revoked key */
  update(
    owner: Owner,
    actor: Caller['actor'],
    id: string,
    changes: { readonly name?: string; readonly rateLimit?: number },
  ): Promise<WebhookKeyView>;
  /** Once revoked, always: a second time changes nothing. @throws ServiceError `not_found` */
  revoke(owner: Owner, actor: Caller['actor'], id: string): Promise<void>;
  close(): Promise<void>;
}

export function createWebhookKeys(db: Database, { clock, log }: { clock: Clock; log: Log }): WebhookKeys {
  const lastUsed = createLastUsed({ database: db, table: 'webhook_keys', clock, log });
  const verifier = createKeyVerifier({
    clock,
    onUse: lastUsed.note,
    load: async (digest) => {
      const row = await db.reader
        .selectFrom('webhook_keys')
        .select(['id', 'organization_id', 'attribution_id', 'prefix', 'revoked_at'])
        .where('digest', '=', digest)
        .executeTakeFirst();
      return (
        row && {
          id: row.id,
          organizationId: row.organization_id,
          attributionId: row.attribution_id,
          provider: PROVIDER,
          prefix: row.prefix,
          digest,
          revoked: row.revoked_at !== null,
        }
      );
    },
  });

  /** @throws ServiceError `not_found` */
  const own = async (trx: Database['kysely'], owner: Owner, id: string): Promise<Row<'webhook_keys'>> => {
    const row = await ofOwner(trx, owner).where('id', '=', id.toLowerCase()).executeTakeFirst();
    if (row === undefined)
      throw new ServiceError('not_found', 'There is no such webhook key; list them to find its ID.');
    return row;
  };

  return {
    ...verifier,
    async issue(owner, actor, { name, rateLimit }) {
      const generated = generateKey('svc_wh_');
      const at = clock();
      const row = await db.kysely.transaction().execute(async (trx) => {
        const inserted = await trx
          .insertInto('webhook_keys')
          .values({
            id: randomUUID(),
            organization_id: owner.organizationId,
            attribution_id: owner.id,
            name,
            prefix: generated.prefix,
            digest: generated.digest,
            rate_limit: rateLimit,
            arrival_us: 0,
            created_at: at,
            last_used_at: null,
            revoked_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const { organizationId } = owner;
        const entry = { at, actor, action: 'webhook_key.issued', subject: inserted.id, organizationId };
        await audit(trx, { ...entry, changes: changesOf({}, loggedOf(inserted)) });
        return inserted;
      });
      return { ...toView(row), key: generated.key };
    },
    async list(owner) {
      const rows = await ofOwner(db.reader, owner)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(toView);
    },
    async update(owner, actor, id, { name, rateLimit }) {
      const at = clock();
      const row = await db.kysely.transaction().execute(async (trx) => {
        // Another change at the same time waits: it starts from what this one leaves.
        await db.adapter.lockName(trx, `webhook_key:${id.toLowerCase()}`);
        const before = await own(trx, owner, id);
        if (before.revoked_at !== null)
          throw new ServiceError('conflict', 'The key is revoked and opens nothing; issue a new one.');
        const after = await trx
          .updateTable('webhook_keys')
          .set({ name: name ?? before.name, rate_limit: rateLimit ?? before.rate_limit })
          .where('id', '=', before.id)
          .where('organization_id', '=', owner.organizationId)
          .returningAll()
          .executeTakeFirstOrThrow();
        const { organizationId } = owner;
        const entry = {
          at,
          actor,
          action: 'webhook_key.updated',
          subject: before.id,
          organizationId,
        } as const;
        await auditChange(trx, { ...entry, before: loggedOf(before), after: loggedOf(after) });
        return after;
      });
      return toView(row);
    },
    async revoke(owner, actor, id) {
      const at = clock();
      const digest = await db.kysely.transaction().execute(async (trx) => {
        const before = await own(trx, owner, id);
        const { organizationId } = owner;
        const { numUpdatedRows } = await trx
          .updateTable('webhook_keys')
          .set({ revoked_at: at })
          .where('id', '=', before.id)
          .where('organization_id', '=', organizationId)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows > 0n)
          await audit(trx, { at, actor, action: 'webhook_key.revoked', subject: before.id, organizationId });
        return before.digest;
      });
      verifier.forget(digest);
    },
    close: lastUsed.close,
  };
}

/** The property's keys: the one way to select any for people. */
function ofOwner(db: Database['kysely'], { id, organizationId }: Owner) {
  return db
    .selectFrom('webhook_keys')
    .selectAll()
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId);
}

const loggedOf = ({ name, rate_limit }: Row<'webhook_keys'>) => ({ name, rate_limit });

function toView(row: Row<'webhook_keys'>): WebhookKeyView {
  return {
    id: row.id,
    attributionId: row.attribution_id,
    name: row.name,
    prefix: row.prefix,
    rateLimit: row.rate_limit,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    revokedAt: row.revoked_at,
  };
}
