/** The distributed backend: PostgreSQL through a bounded pool. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { type Log, outsideRequests, StartError } from '../../common/index.ts';
import type { OpenedDatabase, OpenOptions } from '../adapter.ts';
import type { Tables } from '../tables.ts';
import { tryLock, untilLocked } from './locks.ts';

const POOL_SIZE = 10;
/** Each lock that is held has a connection of its own: of jobs that run at once, and of a migration. */
const LOCK_CONNECTIONS = 6;
const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of ours is this slow on a healthy server; a hung one must not hold a connection. */
const STATEMENT_TIMEOUT_MS = 15_000;
const INT8_OID = 20;
/** A role without CREATE: on the schema, or on any. */
const NO_RIGHTS = new Set(['42501', '3F000']);

/** Epoch milliseconds and counts are int8, which pg hands over as text. @throws RangeError beyond 2^53, rather than rounding */
export function int8ToNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The database holds ${text}, which is beyond a safe integer.`);
  return value;
}

// The library's own signature is overloaded per format; values here always arrive as text.
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID
      ? int8ToNumber
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

export async function openPostgres({ url, log, poolSize = POOL_SIZE }: OpenOptions): Promise<OpenedDatabase> {
  const connection: pg.ClientConfig = {
    connectionString: url,
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'ghostlight',
  };
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  });
  survive(pool, (error) => log.warn({ err: error }, 'a PostgreSQL connection was lost'));
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await checkConnections(pool, poolSize, log);
  } catch (error) {
    await pool.end();
    throw error;
  }

  return {
    kysely,
    checkDisk: async () => undefined,
    scrub: async () => undefined,
    snapshot: async () => null,
    reader: kysely,
    async migrating(run) {
      const release = await untilLocked(connection, 'migrations', log);
      const single = new pg.Pool({ ...connection, max: 1 });
      survive(single, (error) => log.warn({ err: error }, 'the migration connection was lost'));
      const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: single }) });
      try {
        return await run(db);
      } finally {
        await db.destroy();
        if (!single.ended) await single.end();
        await release();
      }
    },
    missingRights,
    tryLock: (name) => tryLock(connection, name, log),
    async close() {
      await kysely.destroy();
      if (!pool.ended) await pool.end();
    },
  };
}

async function missingRights(db: Kysely<Tables>, error: unknown): Promise<string | null> {
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== 'string' || !NO_RIGHTS.has(code)) return null;
  const { rows } = await sql<{ role: string }>`select quote_ident(current_user) as role`.execute(db);
  const role = rows[0]?.role;
  return role === undefined
    ? null
    : `DATABASE_URL: the role ${role} may not create tables. Let its owner run: GRANT USAGE, CREATE ON SCHEMA public TO ${role};`;
}

interface Connections {
  /** What the server gives to ordinary roles, or to this one. */
  readonly allowed: number;
  /** Of other clients, now. */
  readonly used: number;
}

/** A pool that the server can't fill would be found out under load. @throws StartError when this node alone asks for more than there is */
async function checkConnections(pool: pg.Pool, poolSize: number, log: Log): Promise<void> {
  // An ordinary role sees of others' connections little more than their database.
  const { rows } = await pool.query<Connections>(
    `select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as allowed,
      (select count(*)::int from pg_stat_activity
        where datname is not null and pid <> pg_backend_pid()) as used`,
  );
  const { allowed, used } = rows[0] ?? { allowed: Number.POSITIVE_INFINITY, used: 0 };
  const needed = poolSize + LOCK_CONNECTIONS;
  if (needed > allowed)
    throw new StartError(
      `DATABASE_POOL_SIZE: this node may use ${needed} connections (${poolSize} and ${LOCK_CONNECTIONS} for locks), PostgreSQL allows ${allowed}. Lower it, or raise max_connections.`,
    );
  if (needed + used > allowed)
    log.warn(
      { needed, used, allowed },
      'PostgreSQL may run out of connections: lower DATABASE_POOL_SIZE on the nodes, or raise max_connections',
    );
}

/**
 * Without listeners the loss of a connection would end the process: of one in use, since the pool listens to idle ones alone, and of an idle
 * one, which the pool tells of besides.
 */
function survive(pool: pg.Pool, onLoss: (error: Error) => void): void {
  // A connection is opened for the request that needs it first, and serves all others after it.
  pool.on('connect', (client) => client.on('error', (error) => outsideRequests(() => onLoss(error))));
  pool.on('error', () => undefined);
}
