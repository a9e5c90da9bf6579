/** Public links to the reports of one property: shown once, stored as a digest, revocable, with an optional password and end. */
import { randomUUID } from 'node:crypto';
import { type Caller, type Clock, type Log, ServiceError } from '../common/index.ts';
import {
  audit,
  changesOf,
  createReadThrough,
  type Database,
  lockOrganization,
  type Row,
} from '../database/index.ts';
import { createLastUsed, generateKey, hasKeyForm, keyDigest } from '../keys/index.ts';
import type { Owner } from '../properties/index.ts';
import { assertMayShare } from './rights.ts';

const PREFIX = 'shr_';
/** Of a property; more are a script's mistake. */
const MAX_LINKS = 50;
const MAX_LISTED = 200;

export interface ShareLink {
  readonly id: string;
  readonly organizationId: string;
  readonly propertyId: string;
  readonly name: string;
  /** Of its password; null: it needs none. */
  readonly passwordHash: string | null;
  /** Epoch milliseconds; null: until it is revoked. */
  readonly expiresAt: number | null;
}

export type ShareLinkRow = Row<'share_links'>;

export interface NewShareLink {
  readonly name: string;
  readonly passwordHash: string | null;
  readonly expiresAt: number | null;
}

export interface ShareLinks {
  /** @throws ServiceError `invalid`, `conflict` when there are too many, `forbidden` when the right was taken meanwhile */
  issue(caller: Caller, owner: Owner, link: NewShareLink): Promise<{ token: string; row: ShareLinkRow }>;
  /** Newest first, ended ones included. */
  list(owner: Owner): Promise<ShareLinkRow[]>;
  /** @throws ServiceError `not_found` */
  revoke(caller: Caller, owner: Owner, id: string): Promise<void>;
  /** A link that opens now; undefined: none. Cached for at most 5 s. */
  byToken(token: string): Promise<ShareLink | undefined>;
  byId(id: string): Promise<ShareLink | undefined>;
  noteUse(link: Pick<ShareLink, 'id'>): void;
  close(): Promise<void>;
}

export function createShareLinks(database: Database, { clock, log }: { clock: Clock; log: Log }): ShareLinks {
  const lastUsed = createLastUsed({ database, table: 'share_links', clock, log });
  const byDigest = createReadThrough<ShareLink>({
    clock,
    load: (digest) => load(database, 'digest', digest),
  });
  const ids = createReadThrough<ShareLink>({ clock, load: (id) => load(database, 'id', id) });
  const stillOpen = (link: ShareLink | null): ShareLink | undefined =>
    link === null || (link.expiresAt !== null && link.expiresAt <= clock()) ? undefined : link;

  return {
    async issue(caller, owner, { name, passwordHash, expiresAt }) {
      const at = clock();
      if (expiresAt !== null && expiresAt <= at)
        throw new ServiceError('invalid', 'The link was not created.', {
          errors: [{ pointer: '/expires_at', message: 'Must be in the future.' }],
        });
      const { key: token, prefix, digest } = generateKey(PREFIX);
      const id = randomUUID();
      const row = await database.kysely.transaction().execute(async (trx) => {
        await lockOrganization(trx, owner.organizationId);
        await assertMayShare(trx, caller.actor, owner);
        const { count } = await trx
          .selectFrom('share_links')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('attribution_id', '=', owner.id)
          .where('organization_id', '=', owner.organizationId)
          .where('revoked_at', 'is', null)
          .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_LINKS)
          throw new ServiceError(
            'conflict',
            `A property can have at most ${MAX_LINKS} share links; revoke some first.`,
          );
        const made = await trx
          .insertInto('share_links')
          .values({
            ...{ id, organization_id: owner.organizationId, attribution_id: owner.id, name, prefix, digest },
            ...{ password_hash: passwordHash, created_by: caller.actor, created_at: at },
            ...{ expires_at: expiresAt, last_used_at: null, revoked_at: null },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await audit(trx, {
          ...{ at, actor: caller.actor, action: 'share_link.issued', subject: id },
          organizationId: owner.organizationId,
          // Whom it is for may be a person's name, so it is not in the log.
          changes: changesOf(
            {},
            {
              password: passwordHash !== null,
              ...(expiresAt === null ? {} : { expires_at: new Date(expiresAt).toISOString() }),
            },
          ),
        });
        return made;
      });
      return { token, row };
    },
    list: (owner) =>
      database.reader
        .selectFrom('share_links')
        .selectAll()
        .where('attribution_id', '=', owner.id)
        .where('organization_id', '=', owner.organizationId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute(),
    async revoke(caller, owner, id) {
      const at = clock();
      const revoked = await database.kysely.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('share_links')
          .set({ revoked_at: at })
          .where('id', '=', id.toLowerCase())
          .where('attribution_id', '=', owner.id)
          .where('organization_id', '=', owner.organizationId)
          .where('revoked_at', 'is', null)
          .returning(['id', 'digest'])
          .executeTakeFirst();
        if (row === undefined) return null;
        await audit(trx, {
          ...{ at, actor: caller.actor, action: 'share_link.revoked', subject: row.id },
          organizationId: owner.organizationId,
        });
        return row;
      });
      if (revoked === null)
        throw new ServiceError('not_found', 'There is no such link; list the share links to find its ID.');
      byDigest.forget(revoked.digest);
      ids.forget(revoked.id);
    },
    async byToken(token) {
      if (!hasKeyForm(PREFIX, token)) return undefined;
      return stillOpen(await byDigest.get(keyDigest(token)));
    },
    byId: async (id) => stillOpen(await ids.get(id)),
    noteUse: ({ id }) => lastUsed.note(id),
    close: lastUsed.close,
  };
}

/** A link of a property that was deleted opens nothing. */
async function load(
  { reader }: Database,
  by: 'digest' | 'id',
  value: string,
): Promise<ShareLink | undefined> {
  const row = await reader
    .selectFrom('share_links as l')
    .innerJoin('properties as p', (join) =>
      join.onRef('p.id', '=', 'l.attribution_id').onRef('p.organization_id', '=', 'l.organization_id'),
    )
    .select(['l.id', 'l.organization_id', 'l.attribution_id', 'l.name', 'l.password_hash', 'l.expires_at'])
    .where(`l.${by}`, '=', value)
    .where('l.revoked_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : {
        ...{ id: row.id, organizationId: row.organization_id, propertyId: row.attribution_id },
        ...{ name: row.name, passwordHash: row.password_hash, expiresAt: row.expires_at },
      };
}
