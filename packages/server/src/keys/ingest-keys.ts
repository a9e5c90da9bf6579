/** Ingest keys: issue, list, revoke, verify. Only the prefix and a digest are stored; the full key exists once, in the answer. */
import { randomUUID } from 'node:crypto';
import {
  type Caller,
  type Clock,
  type Log,
  owningOrganization,
  type Scope,
  ServiceError,
} from '../common/index.ts';
import { audit, type Database, type Row } from '../database/index.ts';
import { generateKey } from './format.ts';
import { createLastUsed } from './last-used.ts';
import { createKeyVerifier, type KeyVerifier } from './verifier.ts';

/** More keys than this in one organization are a mistake of a script. */
const MAX_LISTED = 1_000;

export interface IngestKeyView {
  readonly id: string;
  readonly organizationId: string;
  readonly attributionId: string | null;
  readonly name: string;
  /** The log source that its owner meant it for; a key opens every endpoint. */
  readonly provider: string;
  readonly prefix: string;
  /** Epoch milliseconds, as the others. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

export interface NewIngestKey {
  /** 1–100 characters. */
  readonly name: string;
  /** The name of a log source. */
  readonly provider: string;
  /** Default property, in any letter case. */
  readonly attributionId?: string | null | undefined;
}

export interface IngestKeys extends KeyVerifier {
  /** @throws ServiceError `invalid` when the property or the organization is not there for this scope */
  issue(
    scope: Scope,
    actor: Caller['actor'],
    key: NewIngestKey,
  ): Promise<IngestKeyView & { readonly key: string }>;
  /** Newest first, revoked ones included; at most 1,000. */
  list(scope: Scope): Promise<IngestKeyView[]>;
  /** Once revoked, always: a second time changes nothing. @throws ServiceError `not_found` */
  revoke(scope: Scope, actor: Caller['actor'], id: string): Promise<void>;
  /** Writes what is known of last uses now; otherwise it happens every few seconds and at `close`. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createIngestKeys(db: Database, { clock, log }: { clock: Clock; log: Log }): IngestKeys {
  const lastUsed = createLastUsed({ database: db, table: 'ingest_keys', clock, log });
  const verifier = createKeyVerifier({
    clock,
    onUse: lastUsed.note,
    load: async (digest) => {
      const row = await db.reader
        .selectFrom('ingest_keys')
        .selectAll()
        .where('digest', '=', digest)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { id, organizationId, attributionId, provider, prefix, revokedAt } = toView(row);
      return {
        id,
        organizationId,
        attributionId,
        provider,
        prefix,
        digest: row.digest,
        revoked: revokedAt !== null,
      };
    },
  });

  return {
    ...verifier,
    async issue(scope, actor, { name, provider, attributionId }) {
      const generated = generateKey('svc_cf_');
      const at = clock();
      const row = await db.kysely.transaction().execute(async (trx) => {
        const property =
          typeof attributionId === 'string' ? await ownProperty(trx, scope, attributionId) : undefined;
        const organization = property?.organization_id ?? (await existingOrganization(trx, scope));
        const inserted = await trx
          .insertInto('ingest_keys')
          .values({
            id: randomUUID(),
            organization_id: organization,
            attribution_id: property?.id ?? null,
            name,
            provider,
            prefix: generated.prefix,
            digest: generated.digest,
            created_at: at,
            last_used_at: null,
            revoked_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await audit(trx, {
          at,
          actor,
          action: 'ingest_key.issued',
          subject: inserted.id,
          organizationId: organization,
        });
        return inserted;
      });
      return { ...toView(row), key: generated.key };
    },
    async list(scope) {
      const rows = await db.reader
        .selectFrom('ingest_keys')
        .selectAll()
        .$if(scope.kind === 'organization', (query) =>
          query.where('organization_id', '=', scope.kind === 'organization' ? scope.id : ''),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(toView);
    },
    async revoke(scope, actor, id) {
      const at = clock();
      const digest = await db.kysely.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('ingest_keys')
          .select(['id', 'organization_id', 'digest', 'revoked_at'])
          .where('id', '=', id.toLowerCase())
          .$if(scope.kind === 'organization', (query) =>
            query.where('organization_id', '=', scope.kind === 'organization' ? scope.id : ''),
          )
          .executeTakeFirst();
        if (row === undefined) {
          throw new ServiceError('not_found', 'There is no such ingest key; list them to find its id.');
        }
        const { numUpdatedRows } = await trx
          .updateTable('ingest_keys')
          .set({ revoked_at: at })
          .where('id', '=', row.id)
          .where('organization_id', '=', row.organization_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) {
          const organizationId = row.organization_id;
          await audit(trx, { at, actor, action: 'ingest_key.revoked', subject: row.id, organizationId });
        }
        return row.digest;
      });
      verifier.forget(digest);
    },
    flush: lastUsed.flush,
    close: lastUsed.close,
  };
}

type Queries = Database['kysely'];

async function ownProperty(db: Queries, scope: Scope, attributionId: string) {
  const property = await db
    .selectFrom('properties')
    .select(['id', 'organization_id'])
    .where('id', '=', attributionId.toLowerCase())
    .where('deleted_at', 'is', null)
    .$if(scope.kind === 'organization', (query) =>
      query.where('organization_id', '=', scope.kind === 'organization' ? scope.id : ''),
    )
    .executeTakeFirst();
  if (property === undefined) {
    throw new ServiceError(
      'invalid',
      'The default property does not exist; list the properties to find its id.',
      {
        errors: [{ pointer: '/attribution_id', message: 'is not a property of this organization' }],
      },
    );
  }
  return property;
}

async function existingOrganization(db: Queries, scope: Scope): Promise<string> {
  const id = owningOrganization(scope);
  const found = await db.selectFrom('organizations').select('id').where('id', '=', id).executeTakeFirst();
  if (found === undefined) {
    throw new ServiceError('invalid', 'There is no such organization; leave ?organization= out.');
  }
  return found.id;
}

function toView(row: Row<'ingest_keys'>): IngestKeyView {
  return {
    id: row.id,
    organizationId: row.organization_id,
    attributionId: row.attribution_id,
    name: row.name,
    provider: row.provider,
    prefix: row.prefix,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
