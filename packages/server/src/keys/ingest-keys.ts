/** Ingest keys: issue, list, revoke, verify. Only the prefix and a digest are stored; the full key exists once, in the answer. */
import { randomUUID } from 'node:crypto';
import { type Caller, type Clock, isoOf, type Log, type Scope, ServiceError } from '../common/index.ts';
import {
  audit,
  auditChange,
  changesOf,
  type Database,
  existingOrganization,
  inScope,
  type Row,
  type SecretCipher,
} from '../database/index.ts';
import type { Settings } from '../sources/index.ts';
import { generateKey } from './format.ts';
import { createLastUsed, type SenderAddress } from './last-used.ts';
import {
  changedSettings,
  loggedSettings,
  openSettings,
  rotateKeySettings,
  sealSettings,
  shownSettings,
} from './settings.ts';
import { createSigners, type Signers } from './signers.ts';
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
  /** The network of that use, as `LastUsed` keeps it. */
  readonly lastUsedFrom: string | null;
  readonly revokedAt: number | null;
  /** When it ends, since another key has replaced it. */
  readonly expiresAt: number | null;
  /** What its owner has set for its source; of a secret, that there is one. */
  readonly settings: Settings;
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
  /** @throws ServiceError for this scope: `invalid` when the property is not there, `not_found` when the organization is not */
  issue(
    scope: Scope,
    actor: Caller['actor'],
    key: NewIngestKey,
  ): Promise<IngestKeyView & { readonly key: string }>;
  /** Newest first, revoked ones included; at most 1,000. */
  list(scope: Scope): Promise<IngestKeyView[]>;
  /** Once revoked, always: a second time changes nothing. @throws ServiceError `not_found` */
  revoke(scope: Scope, actor: Caller['actor'], id: string): Promise<void>;
  /** In the transaction that deletes what they are for: a property (null: a whole organization). `forgetAll` follows it. */
  revokeAll(
    trx: Database['kysely'],
    of: { readonly organizationId: string; readonly attributionId: string | null },
  ): Promise<void>;
  /**
   * A second key beside this one: same name, source, property and settings. The old one is good for so long yet, so that no sender is
   * refused before it has the new one: shippers throw away what is answered 401.
   * @throws ServiceError `not_found`; `conflict` where the key is revoked
   */
  rotate(
    scope: Scope,
    actor: Caller['actor'],
    id: string,
    overlapSeconds: number,
  ): Promise<IngestKeyView & { readonly key: string }>;
  /** @param changes null takes a setting away @throws ServiceError `not_found`; `invalid` */
  set(scope: Scope, actor: Caller['actor'], id: string, changes: Settings): Promise<IngestKeyView>;
  /** What is set by this name on every key that is good, of all organizations; at most 1,000. */
  everySetting(name: string): Promise<unknown[]>;
  /** The keys that may sign for a property. */
  readonly signers: Signers['find'];
  /** A key was used that was not presented. Never waits. */
  noteUse(keyId: string, from: SenderAddress): void;
  /** While SECRET_KEY_PREVIOUS is set. */
  rotateSecrets(): Promise<number>;
  /** Writes what is known of last uses now; otherwise it happens every few seconds and at `close`. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface IngestKeysDeps {
  readonly cipher: SecretCipher;
  readonly clock: Clock;
  readonly log: Log;
}

export function createIngestKeys(db: Database, { cipher, clock, log }: IngestKeysDeps): IngestKeys {
  const toView = (row: Row<'ingest_keys'>) => viewOf(cipher, row);
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
      const { id, organizationId, attributionId, provider, prefix, revokedAt, expiresAt } = toView(row);
      return {
        id,
        organizationId,
        attributionId,
        provider,
        prefix,
        digest: row.digest,
        revoked: revokedAt !== null,
        expiresAt,
        ...(row.settings === null ? {} : { settings: openSettings(cipher, id, row.settings) }),
      };
    },
  });

  const signers = createSigners(db, { cipher, clock });
  const forget = (digest: string): void => {
    verifier.forget(digest);
    signers.forget();
  };

  return {
    ...verifier,
    forget,
    forgetAll() {
      verifier.forgetAll();
      signers.forget();
    },
    async revokeAll(trx, { organizationId, attributionId }) {
      let keys = trx
        .updateTable('ingest_keys')
        .set({ revoked_at: clock() })
        .where('organization_id', '=', organizationId)
        .where('revoked_at', 'is', null);
      if (attributionId !== null) keys = keys.where('attribution_id', '=', attributionId);
      await keys.execute();
    },
    async issue(scope, actor, { name, provider, attributionId }) {
      const generated = generateKey('svc_cf_');
      const at = clock();
      const row = await db.kysely.transaction().execute(async (trx) => {
        const property =
          typeof attributionId === 'string' ? await ownProperty(trx, scope, attributionId) : undefined;
        const organization = property?.organization_id ?? (await existingOrganization(trx, scope)).id;
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
            settings: null,
            expires_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await audit(trx, {
          at,
          actor,
          action: 'ingest_key.issued',
          subject: inserted.id,
          organizationId: organization,
          changes: changesOf({}, { name, source: provider }),
        });
        return inserted;
      });
      return { ...toView(row), key: generated.key };
    },
    async list(scope) {
      const rows = await db.reader
        .selectFrom('ingest_keys')
        .selectAll()
        .where(inScope(scope, 'attribution_id'))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(toView);
    },
    async revoke(scope, actor, id) {
      const at = clock();
      const digest = await db.kysely.transaction().execute(async (trx) => {
        const row = await owned(trx, scope, id);
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
      forget(digest);
    },
    async rotate(scope, actor, id, overlapSeconds) {
      const generated = generateKey('svc_cf_');
      const at = clock();
      const { row, digest } = await db.kysely.transaction().execute(async (trx) => {
        // Another change at the same time waits: it starts from what this one leaves.
        await db.adapter.lockName(trx, `ingest_key:${id.toLowerCase()}`);
        const old = await owned(trx, scope, id);
        if (old.revoked_at !== null)
          throw new ServiceError('conflict', 'This key is revoked. Issue another one.');
        const newId = randomUUID();
        const settings = sealSettings(cipher, newId, openSettings(cipher, old.id, old.settings));
        const { organization_id, attribution_id, name, provider } = old;
        const inserted = await trx
          .insertInto('ingest_keys')
          .values({
            ...{ id: newId, organization_id, attribution_id, name, provider, settings },
            ...{ prefix: generated.prefix, digest: generated.digest, created_at: at },
            ...{ last_used_at: null, revoked_at: null, expires_at: null },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        // The key that replaced it may be lost: it can be rotated again, and never gets a longer life by that.
        const expires = Math.min(old.expires_at ?? Number.POSITIVE_INFINITY, at + overlapSeconds * 1_000);
        await trx
          .updateTable('ingest_keys')
          .set({ expires_at: expires })
          .where('id', '=', old.id)
          .where('organization_id', '=', organization_id)
          .execute();
        const organizationId = organization_id;
        await auditChange(trx, {
          ...{ at, actor, action: 'ingest_key.rotated', subject: old.id, organizationId },
          before: { key: old.prefix, works_until: isoOf(old.expires_at) },
          after: { key: inserted.prefix, works_until: isoOf(expires) },
        });
        return { row: inserted, digest: old.digest };
      });
      forget(digest);
      return { ...toView(row), key: generated.key };
    },
    async set(scope, actor, id, changes) {
      const at = clock();
      const row = await db.kysely.transaction().execute(async (trx) => {
        // Another change at the same time waits: it starts from what this one leaves.
        await db.adapter.lockName(trx, `ingest_key:${id.toLowerCase()}`);
        const old = await owned(trx, scope, id);
        const current = openSettings(cipher, old.id, old.settings);
        const next = changedSettings(old.provider, current, changes);
        const settings = sealSettings(cipher, old.id, next);
        await trx
          .updateTable('ingest_keys')
          .set({ settings })
          .where('id', '=', old.id)
          .where('organization_id', '=', old.organization_id)
          .execute();
        const organizationId = old.organization_id;
        await auditChange(trx, {
          ...{ at, actor, action: 'ingest_key.set', subject: old.id, organizationId },
          before: loggedSettings(old.provider, current),
          after: loggedSettings(old.provider, next),
        });
        return { ...old, settings };
      });
      forget(row.digest);
      return toView(row);
    },
    async everySetting(name) {
      const rows = await db.reader
        .selectFrom('ingest_keys')
        .select(['id', 'settings'])
        .where('settings', 'is not', null)
        .where('revoked_at', 'is', null)
        .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', clock())]))
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute();
      return rows
        .map(({ id, settings }) => openSettings(cipher, id, settings)[name])
        .filter((value) => value !== undefined);
    },
    signers: signers.find,
    noteUse: lastUsed.note,
    rotateSecrets: () => rotateKeySettings(db, cipher),
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
    .where(inScope(scope, 'id'))
    .executeTakeFirst();
  if (property === undefined) {
    throw new ServiceError(
      'invalid',
      'The default property does not exist; list the properties to find its ID.',
      {
        errors: [{ pointer: '/attribution_id', message: 'is not a property of this organization' }],
      },
    );
  }
  return property;
}

async function owned(db: Queries, scope: Scope, id: string): Promise<Row<'ingest_keys'>> {
  const row = await db
    .selectFrom('ingest_keys')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where(inScope(scope, 'attribution_id'))
    .executeTakeFirst();
  if (row === undefined)
    throw new ServiceError('not_found', 'There is no such ingest key; list them to find its ID.');
  return row;
}

function viewOf(cipher: SecretCipher, row: Row<'ingest_keys'>): IngestKeyView {
  return {
    id: row.id,
    organizationId: row.organization_id,
    attributionId: row.attribution_id,
    name: row.name,
    provider: row.provider,
    prefix: row.prefix,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
    settings: shownSettings(row.provider, openSettings(cipher, row.id, row.settings)),
  };
}
