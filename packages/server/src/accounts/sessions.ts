/** Sign-in sessions: a random token in a cookie, its digest in the database, 30 days from the last visit. */
import { createHmac, randomBytes } from 'node:crypto';
import { audit, type Database } from '../database/index.ts';
import type { Clock } from '../kit/index.ts';

export const SESSION_MS = 30 * 86_400_000;
/** A visit moves the end at most this often: reading a page must not cost a write. */
const TOUCH_EVERY_MS = 3_600_000;
/** More people at once than one installation's root token serves. */
const MAX_SESSIONS = 1_000;
const TOKEN_BYTES = 32;
const TOKEN_LENGTH = 43;

export interface SignInSession {
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface SignInSessions {
  /** @returns the cookie's token; it stands nowhere else */
  start(): Promise<{ token: string; session: SignInSession }>;
  find(token: string): Promise<SignInSession | undefined>;
  end(token: string): Promise<void>;
}

/** @param rootDigest goes into every session's digest: changing ADMIN_TOKEN signs everybody out */
export function createSessions(db: Database, rootDigest: Buffer, clock: Clock): SignInSessions {
  const digestOf = (token: string) => createHmac('sha256', rootDigest).update(token).digest('hex');

  return {
    async start() {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const digest = digestOf(token);
      const at = clock();
      // Tells sessions apart in the audit log; eight characters of a digest open nothing.
      const actor = `root:${digest.slice(0, 8)}`;
      const expiresAt = at + SESSION_MS;
      await db.kysely.transaction().execute(async (trx) => {
        await trx
          .insertInto('sign_in_sessions')
          .values({
            digest,
            organization_id: null,
            actor,
            created_at: at,
            last_seen_at: at,
            expires_at: expiresAt,
          })
          .execute();
        await trx.deleteFrom('sign_in_sessions').where('expires_at', '<=', at).execute();
        const surplus = trx
          .selectFrom('sign_in_sessions')
          .select('digest')
          .where('digest', '!=', digest)
          .orderBy('last_seen_at', 'desc')
          .orderBy('digest')
          .limit(MAX_SESSIONS)
          .offset(MAX_SESSIONS - 1);
        await trx.deleteFrom('sign_in_sessions').where('digest', 'in', surplus).execute();
        await audit(trx, { at, actor, action: 'session.started', subject: actor, organizationId: null });
      });
      return { token, session: { actor, expiresAt } };
    },
    async find(token) {
      if (token.length !== TOKEN_LENGTH) return undefined;
      const digest = digestOf(token);
      const at = clock();
      const row = await db.reader
        .selectFrom('sign_in_sessions')
        .selectAll()
        .where('digest', '=', digest)
        .where('expires_at', '>', at)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      if (at - row.last_seen_at < TOUCH_EVERY_MS) return { actor: row.actor, expiresAt: row.expires_at };
      const expiresAt = at + SESSION_MS;
      await db.kysely
        .updateTable('sign_in_sessions')
        .set({ last_seen_at: at, expires_at: expiresAt })
        .where('digest', '=', digest)
        .execute();
      return { actor: row.actor, expiresAt };
    },
    async end(token) {
      await db.kysely.deleteFrom('sign_in_sessions').where('digest', '=', digestOf(token)).execute();
    },
  };
}
