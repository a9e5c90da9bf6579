/** Sign-in sessions: a random token in a cookie, its digest in the database, 30 days from the last visit. */
import { createHmac, randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import type { Caller, Clock, PropertyAccess, Role } from '../common/index.ts';
import { audit, type Database } from '../database/index.ts';
import { accessOf, memberScope } from './access.ts';
import { auditPerson, personActor } from './audit.ts';
import type { Peer } from './cookies.ts';

export const SESSION_MS = 30 * DAY_MS;
/** A visit moves the end at most this often: reading a page must not cost a write. */
const TOUCH_EVERY_MS = HOUR_MS;
/** More people at once than one installation's admin token serves. */
const MAX_ROOT_SESSIONS = 1_000;
/** More browsers than one person uses. */
const MAX_SESSIONS_PER_PERSON = 50;
const TOKEN_BYTES = 32;
const TOKEN_LENGTH = 43;
const MAX_USER_AGENT = 256;

type Queries = Database['kysely'];

export interface SignInSession {
  /** The digest: it names a session and opens nothing. */
  readonly id: string;
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A session as its person sees it. */
export interface SessionView {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface Started {
  /** The cookie's token; it stands nowhere else. */
  readonly token: string;
  readonly session: SignInSession;
}

/** Which browser a session is started from. */
export interface StartedFrom {
  readonly peer: Peer;
  readonly userAgent: string | null;
}

export interface Member {
  readonly personId: string;
  readonly organizationId: string;
  readonly role: Role;
  /** null: all properties. */
  readonly access: PropertyAccess | null;
}

export interface SignInSessions {
  startRoot(from: StartedFrom): Promise<Started>;
  /** @param endsAt when it ends whatever is done in it; null: visits move its end */
  startPerson(member: Member, from: StartedFrom, endsAt?: number | null): Promise<Started>;
  find(token: string): Promise<SignInSession | undefined>;
  end(token: string): Promise<void>;
  /** Newest first. */
  list(personId: string): Promise<SessionView[]>;
  /** Ends one session of the person, or all but one. @returns how many */
  revoke(trx: Queries, personId: string, which: { id: string } | { allBut: string | null }): Promise<number>;
  /** Moves a session to another organization of its person. */
  moveTo(trx: Queries, sessionId: string, organizationId: string): Promise<void>;
  /** Deletes what has ended. */
  forgetOld(): Promise<void>;
}

/** @param rootDigest goes into every session's digest: changing ADMIN_TOKEN signs everyone out */
export function createSessions(db: Database, rootDigest: Buffer, clock: Clock): SignInSessions {
  const digestOf = (token: string) => createHmac('sha256', rootDigest).update(token).digest('hex');

  const start = async (
    member: Member | null,
    { peer, userAgent }: StartedFrom,
    endsAt: number | null,
  ): Promise<Started> => {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const digest = digestOf(token);
    const at = clock();
    // Tells root sessions apart in the audit log; eight characters of a digest open nothing.
    const actor = member === null ? `root:${digest.slice(0, 8)}` : personActor(member.personId);
    const expiresAt = endOf(at, endsAt);
    await db.kysely.transaction().execute(async (trx) => {
      await trx
        .insertInto('sign_in_sessions')
        .values({
          digest,
          organization_id: member?.organizationId ?? null,
          person_id: member?.personId ?? null,
          actor,
          address: peer.ip === '' ? null : peer.ip,
          user_agent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
          created_at: at,
          last_seen_at: at,
          expires_at: expiresAt,
          ends_at: endsAt,
        })
        .execute();
      await trx.deleteFrom('sign_in_sessions').where('expires_at', '<=', at).execute();
      const most = member === null ? MAX_ROOT_SESSIONS : MAX_SESSIONS_PER_PERSON;
      const surplus = trx
        .selectFrom('sign_in_sessions')
        .select('digest')
        .where((eb) =>
          member === null ? eb('person_id', 'is', null) : eb('person_id', '=', member.personId),
        )
        .where('digest', '!=', digest)
        .orderBy('last_seen_at', 'desc')
        .orderBy('digest')
        .limit(most)
        .offset(most - 1);
      await trx.deleteFrom('sign_in_sessions').where('digest', 'in', surplus).execute();
      const change = { at, actor, action: 'session.started', subject: actor };
      if (member === null) await audit(trx, { ...change, organizationId: null });
      else await auditPerson(trx, member.personId, change);
    });
    const caller = callerOf(digest, actor, member);
    return { token, session: { id: digest, caller, expiresAt } };
  };

  return {
    startRoot: (from) => start(null, from, null),
    startPerson: (member, from, endsAt = null) => start(member, from, endsAt),
    async find(token) {
      if (token.length !== TOKEN_LENGTH) return undefined;
      const digest = digestOf(token);
      const at = clock();
      const row = await db.reader
        .selectFrom('sign_in_sessions as s')
        .leftJoin('members as m', (join) =>
          join.onRef('m.person_id', '=', 's.person_id').onRef('m.organization_id', '=', 's.organization_id'),
        )
        .select([
          's.actor',
          's.person_id',
          's.organization_id',
          's.last_seen_at',
          's.expires_at',
          's.ends_at',
        ])
        .select(['m.role', 'm.limited'])
        .where('s.digest', '=', digest)
        .where('s.expires_at', '>', at)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const member = await memberOf(db.reader, row);
      // A person who is no longer a member has no access.
      if (member === undefined) return undefined;
      const caller = callerOf(digest, row.actor, member);
      if (at - row.last_seen_at < TOUCH_EVERY_MS) return { id: digest, caller, expiresAt: row.expires_at };
      const expiresAt = endOf(at, row.ends_at);
      await db.kysely
        .updateTable('sign_in_sessions')
        .set({ last_seen_at: at, expires_at: expiresAt })
        .where('digest', '=', digest)
        .execute();
      return { id: digest, caller, expiresAt };
    },
    async end(token) {
      await db.kysely.deleteFrom('sign_in_sessions').where('digest', '=', digestOf(token)).execute();
    },
    async list(personId) {
      const rows = await db.reader
        .selectFrom('sign_in_sessions')
        .select(['digest', 'created_at', 'last_seen_at', 'expires_at', 'address', 'user_agent'])
        .where('person_id', '=', personId)
        .where('expires_at', '>', clock())
        .orderBy('last_seen_at', 'desc')
        .orderBy('digest')
        .limit(MAX_SESSIONS_PER_PERSON)
        .execute();
      return rows.map((row) => ({
        id: row.digest,
        createdAt: row.created_at,
        lastSeenAt: row.last_seen_at,
        expiresAt: row.expires_at,
        address: row.address,
        userAgent: row.user_agent,
      }));
    },
    async revoke(trx, personId, which) {
      const all = trx.deleteFrom('sign_in_sessions').where('person_id', '=', personId);
      const these =
        'id' in which
          ? all.where('digest', '=', which.id)
          : which.allBut === null
            ? all
            : all.where('digest', '!=', which.allBut);
      return Number((await these.executeTakeFirst()).numDeletedRows);
    },
    async moveTo(trx, sessionId, organizationId) {
      await trx
        .updateTable('sign_in_sessions')
        .set({ organization_id: organizationId })
        .where('digest', '=', sessionId)
        .execute();
    },
    async forgetOld() {
      await db.kysely.deleteFrom('sign_in_sessions').where('expires_at', '<=', clock()).execute();
    },
  };
}

const endOf = (at: number, endsAt: number | null): number => Math.min(at + SESSION_MS, endsAt ?? Infinity);

/** @returns null for the admin token's exchange, undefined for a person who is no member */
async function memberOf(
  queries: Queries,
  row: {
    person_id: string | null;
    organization_id: string | null;
    role: Role | null;
    limited: number | null;
  },
): Promise<Member | null | undefined> {
  const { person_id: personId, organization_id: organizationId, role, limited } = row;
  if (personId === null) return null;
  if (organizationId === null || role === null || limited === null) return undefined;
  const member = { personId, organizationId, role };
  return { ...member, access: await accessOf(queries, { ...member, limited }) };
}

function callerOf(sessionId: string, actor: string, member: Member | null): Caller {
  if (member === null) return { kind: 'root', scope: { kind: 'all' }, role: 'owner', actor };
  const { personId, organizationId, role, access } = member;
  return { kind: 'person', scope: memberScope(organizationId, access), role, actor, personId, sessionId };
}
