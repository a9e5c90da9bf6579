/** API tokens: for programs. Shown once, stored as a digest, never with more rights than their creator has now. */
import { randomUUID } from 'node:crypto';
import {
  type Caller,
  type Clock,
  includesRole,
  type Log,
  owningOrganization,
  type PropertyAccess,
  type Role,
  type Scope,
  ServiceError,
  type TokenCaller,
} from '../common/index.ts';
import {
  audit,
  changesOf,
  createReadThrough,
  type Database,
  existingOrganization,
  lockOrganization,
} from '../database/index.ts';
import { createLastUsed, generateKey, hasKeyForm, keyDigest } from '../keys/index.ts';
import { accessOf, memberScope } from './access.ts';
import { tokenActor } from './audit.ts';
import { assertCurrentRole } from './current-role.ts';

const PREFIX = 'ght_';
/** Maximum number of an organization's tokens; more are a script's mistake. */
const MAX_TOKENS = 200;
const MAX_LISTED = 1_000;

type Queries = Database['kysely'];

export interface NewToken {
  readonly name: string;
  readonly role: 'admin' | 'viewer';
  readonly attributionId?: string | null | undefined;
  /** Epoch milliseconds; null: until it is revoked. */
  readonly expiresAt?: number | null | undefined;
}

export interface TokenView {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly role: 'admin' | 'viewer';
  readonly attributionId: string | null;
  /** The actor, and their name where they are a person. */
  readonly createdBy: string;
  readonly createdByName: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  /** The network of that use. */
  readonly lastUsedFrom: string | null;
  readonly revokedAt: number | null;
}

export interface ApiTokens {
  /** The caller behind a token; undefined: it is invalid (or no longer valid). Cached for at most 5 s. */
  authenticate(token: string, ip: string): Promise<TokenCaller | undefined>;
  /** @throws ServiceError `invalid`, `conflict` when there are too many */
  issue(caller: Caller, scope: Scope, token: NewToken): Promise<{ token: string; view: TokenView }>;
  /** Newest first, ended ones included: all of the organization for its owners, one's own for others. */
  list(caller: Caller, scope: Scope): Promise<TokenView[]>;
  /** @throws ServiceError `not_found` for what `list` does not show */
  revoke(caller: Caller, scope: Scope, id: string): Promise<void>;
  /** How many tokens of a person open something now, in every organization. */
  countOf(personId: string): Promise<number>;
  /** Revokes them with their audit rows, in the transaction of what it belongs to. @returns their digests: `forget` them after the commit */
  revokeOf(trx: Queries, personId: string, actor: Caller['actor']): Promise<readonly string[]>;
  forget(digests: readonly string[]): void;
  close(): Promise<void>;
}

interface TokenRecord {
  readonly id: string;
  readonly scope: TokenCaller['scope'];
  readonly role: Role;
  readonly expiresAt: number | null;
}

export function isApiToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

export function createApiTokens(db: Database, { clock, log }: { clock: Clock; log: Log }): ApiTokens {
  const lastUsed = createLastUsed({ database: db, table: 'api_tokens', clock, log });
  const records = createReadThrough<TokenRecord>({ clock, load: (digest) => load(db, digest) });

  return {
    async authenticate(token, ip) {
      if (!hasKeyForm(PREFIX, token)) return undefined;
      const record = await records.get(keyDigest(token));
      if (record === null || (record.expiresAt !== null && record.expiresAt <= clock())) return undefined;
      lastUsed.note(record.id, () => ip);
      return { kind: 'token', scope: record.scope, role: record.role, actor: tokenActor(record.id) };
    },
    async issue(caller, scope, { name, role, attributionId, expiresAt = null }) {
      const organizationId = owningOrganization(scope);
      const at = clock();
      if (expiresAt !== null && expiresAt <= at) throw wrong('/expires_at', 'Must be in the future.');
      const generated = generateKey(PREFIX);
      const id = randomUUID();
      await db.kysely.transaction().execute(async (trx) => {
        await lockOrganization(trx, organizationId);
        await assertCurrentRole(trx, caller.actor, organizationId, 'admin');
        await checkRoom(trx, organizationId, at);
        const propertyId = await ownProperty(trx, organizationId, attributionId ?? null);
        await trx
          .insertInto('api_tokens')
          .values({
            id,
            organization_id: organizationId,
            attribution_id: propertyId,
            name,
            prefix: generated.prefix,
            digest: generated.digest,
            role,
            created_by: caller.actor,
            person_id: caller.kind === 'person' ? caller.personId : null,
            created_at: at,
            expires_at: expiresAt,
            last_used_at: null,
            revoked_at: null,
          })
          .execute();
        await audit(trx, {
          at,
          actor: caller.actor,
          action: 'api_token.issued',
          subject: id,
          organizationId,
          changes: changesOf(
            {},
            { role, ...(expiresAt === null ? {} : { expires_at: new Date(expiresAt).toISOString() }) },
          ),
        });
      });
      const [view] = await views(db.kysely, caller, organizationId, id);
      if (view === undefined) throw new Error('A token that was just made is not there.');
      return { token: generated.key, view };
    },
    list: (caller, scope) => views(db.reader, caller, owningOrganization(scope)),
    async revoke(caller, scope, id) {
      const organizationId = owningOrganization(scope);
      const at = clock();
      const digest = await db.kysely.transaction().execute(async (trx) => {
        const [view] = await views(trx, caller, organizationId, id);
        if (view === undefined) {
          throw new ServiceError(
            'not_found',
            'There is no such token of yours; list the tokens to find its ID.',
          );
        }
        const revoked = await trx
          .updateTable('api_tokens')
          .set({ revoked_at: at })
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .where('revoked_at', 'is', null)
          .returning('digest')
          .executeTakeFirst();
        if (revoked === undefined) return null;
        await audit(trx, {
          at,
          actor: caller.actor,
          action: 'api_token.revoked',
          subject: id,
          organizationId,
        });
        return revoked.digest;
      });
      if (digest !== null) records.forget(digest);
    },
    async countOf(personId) {
      const { count } = await db.reader
        .selectFrom('api_tokens')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('person_id', '=', personId)
        .where('revoked_at', 'is', null)
        .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', clock())]))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async revokeOf(trx, personId, actor) {
      const at = clock();
      const revoked = await trx
        .updateTable('api_tokens')
        .set({ revoked_at: at })
        .where('person_id', '=', personId)
        .where('revoked_at', 'is', null)
        .returning(['id', 'digest', 'organization_id'])
        .execute();
      for (const { id: subject, organization_id: organizationId } of revoked)
        await audit(trx, { at, actor, action: 'api_token.revoked', subject, organizationId });
      return revoked.map(({ digest }) => digest);
    },
    forget(digests) {
      for (const digest of digests) records.forget(digest);
    },
    close: lastUsed.close,
  };
}

async function load(db: Database, digest: string): Promise<TokenRecord | undefined> {
  const row = await db.reader
    .selectFrom('api_tokens as t')
    .leftJoin('members as m', (join) =>
      join.onRef('m.person_id', '=', 't.person_id').onRef('m.organization_id', '=', 't.organization_id'),
    )
    .select(['t.id', 't.organization_id', 't.attribution_id', 't.person_id', 't.role', 't.expires_at'])
    .select(['m.role as maker', 'm.limited'])
    .where('t.digest', '=', digest)
    .where('t.revoked_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  // Who left takes their tokens along; who may less than before, theirs too.
  if (row.person_id !== null && row.maker === null) return undefined;
  const { maker, person_id: personId, organization_id: organizationId, limited } = row;
  const role = maker !== null && !includesRole(maker, row.role) ? maker : row.role;
  const ofMaker =
    personId === null || maker === null || limited === null
      ? null
      : await accessOf(db.reader, { organizationId, personId, role: maker, limited });
  return {
    id: row.id,
    scope: memberScope(
      organizationId,
      tokenAccess(ofMaker, row.attribution_id, ofMaker === null ? role : row.role),
    ),
    role,
    expiresAt: row.expires_at,
  };
}

/**
 * What a token may use of what its creator may use now.
 * @param ofMaker null: all properties, as its role allows
 * @param propertyId the only one that the token is for; null: as its creator
 */
function tokenAccess(
  ofMaker: PropertyAccess | null,
  propertyId: string | null,
  role: Role,
): PropertyAccess | null {
  const most = role === 'viewer' ? 'viewer' : 'editor';
  if (ofMaker === null) return propertyId === null ? null : new Map([[propertyId, most]]);
  return new Map(
    [...ofMaker]
      .filter(([id]) => propertyId === null || id === propertyId)
      .map(([id, own]) => [id, most === 'viewer' ? most : own]),
  );
}

async function checkRoom(trx: Queries, organizationId: string, at: number): Promise<void> {
  await existingOrganization(trx, { kind: 'organization', id: organizationId });
  const { count } = await trx
    .selectFrom('api_tokens')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_TOKENS) {
    throw new ServiceError(
      'conflict',
      `An organization can have at most ${MAX_TOKENS} tokens; revoke some first.`,
    );
  }
}

async function ownProperty(
  trx: Queries,
  organizationId: string,
  attributionId: string | null,
): Promise<string | null> {
  if (attributionId === null) return null;
  const property = await trx
    .selectFrom('properties')
    .select('id')
    .where('id', '=', attributionId.toLowerCase())
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (property === undefined) throw wrong('/attribution_id', 'is not a property of this organization');
  return property.id;
}

function wrong(pointer: string, message: string): ServiceError {
  return new ServiceError('invalid', 'The token was not issued.', { errors: [{ pointer, message }] });
}

async function views(
  queries: Queries,
  caller: Caller,
  organizationId: string,
  id?: string,
): Promise<TokenView[]> {
  let query = queries
    .selectFrom('api_tokens as t')
    .leftJoin('people as p', 'p.id', 't.person_id')
    .selectAll('t')
    .select('p.name as maker')
    .where('t.organization_id', '=', organizationId)
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id')
    .limit(MAX_LISTED);
  if (id !== undefined) query = query.where('t.id', '=', id);
  if (caller.role !== 'owner') query = query.where('t.created_by', '=', caller.actor);
  return (await query.execute()).map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    role: row.role,
    attributionId: row.attribution_id,
    createdBy: row.created_by,
    createdByName: row.maker,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    revokedAt: row.revoked_at,
  }));
}
