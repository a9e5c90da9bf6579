/** One-time links: what a person without a session may do once. A link works once; its token is stored nowhere else. */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { HOUR_MS } from '@ghostlight/core/time';
import { type Clock, type PropertyAccess, type Role, ServiceError } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { accessText, readAccessText } from './access.ts';

const LIFE_MS = { welcome: 24 * HOUR_MS, invitation: 7 * 24 * HOUR_MS, reset: HOUR_MS } as const;
const PATHS = { welcome: 'welcome', invitation: 'invitation', reset: 'reset-password' } as const;
const TOKEN_BYTES = 32;

export type LinkKind = keyof typeof LIFE_MS;
type Queries = Database['kysely'];

export interface NewLink {
  readonly kind: LinkKind;
  readonly organizationId?: string;
  readonly personId?: string;
  /** Lower case. */
  readonly email?: string;
  readonly role?: Role;
  /** null, or left out: all properties. */
  readonly access?: PropertyAccess | null;
  readonly createdBy: string;
}

export interface Link {
  readonly id: string;
  readonly kind: LinkKind;
  readonly organizationId: string | null;
  readonly personId: string | null;
  readonly email: string | null;
  readonly role: Role | null;
  /** null: all properties. */
  readonly access: PropertyAccess | null;
  readonly createdBy: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface Links {
  /** @returns the link and its address. The token stands after the `#`, which no browser sends to a server, so it reaches no log. */
  issue(trx: Queries, link: NewLink): Promise<{ link: Link; url: string }>;
  /** What the token opens, without using it. @throws ServiceError `not_found` when nothing */
  inspect(token: string): Promise<Link>;
  /** Uses it up, in the transaction of what it opens. @throws ServiceError `not_found` when it has been used already */
  use(trx: Queries, token: string, kind: LinkKind): Promise<Link>;
  /** Invitations of the organization that still open, newest first. */
  invitations(organizationId: string): Promise<Link[]>;
  forgetOld(): Promise<void>;
}

export function createLinks(
  db: Database,
  { appBaseUrl, clock }: { appBaseUrl: () => string; clock: Clock },
): Links {
  return {
    async issue(trx, { kind, organizationId, personId, email, role, access = null, createdBy }) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const at = clock();
      const row = await trx
        .insertInto('one_time_links')
        .values({
          id: randomUUID(),
          digest: hash('sha256', token),
          kind,
          organization_id: organizationId ?? null,
          person_id: personId ?? null,
          email: email ?? null,
          role: role ?? null,
          properties: accessText(access),
          created_by: createdBy,
          created_at: at,
          expires_at: at + LIFE_MS[kind],
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { link: toLink(row), url: `${appBaseUrl()}/${PATHS[kind]}#token=${token}` };
    },
    async inspect(token) {
      const row = await db.reader
        .selectFrom('one_time_links')
        .selectAll()
        .where('digest', '=', hash('sha256', token))
        .where('expires_at', '>', clock())
        .executeTakeFirst();
      if (row === undefined) throw gone();
      return toLink(row);
    },
    async use(trx, token, kind) {
      const row = await trx
        .deleteFrom('one_time_links')
        .where('digest', '=', hash('sha256', token))
        .where('kind', '=', kind)
        .where('expires_at', '>', clock())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw gone();
      return toLink(row);
    },
    async invitations(organizationId) {
      const rows = await db.reader
        .selectFrom('one_time_links')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('kind', '=', 'invitation')
        .where('expires_at', '>', clock())
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toLink);
    },
    async forgetOld() {
      await db.kysely.deleteFrom('one_time_links').where('expires_at', '<=', clock()).execute();
    },
  };
}

function gone(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link has already been used or has expired; ask for another one.',
  );
}

interface LinkRow {
  readonly id: string;
  readonly kind: LinkKind;
  readonly organization_id: string | null;
  readonly person_id: string | null;
  readonly email: string | null;
  readonly role: Role | null;
  readonly properties: string | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number;
}

function toLink(row: LinkRow): Link {
  return {
    id: row.id,
    kind: row.kind,
    organizationId: row.organization_id,
    personId: row.person_id,
    email: row.email,
    role: row.role,
    access: readAccessText(row.properties),
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
