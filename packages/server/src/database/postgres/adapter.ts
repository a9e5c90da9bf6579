/** PostgreSQL: the distributed database. Any number of nodes write at once, so that what must not happen twice is locked by name or by row. */
import { sql } from 'kysely';
import type { DatabaseAdapter } from '../adapter.ts';
import { openPostgres } from './open.ts';

/**
 * SQLSTATE, whole or its class: connection, refused sign-in, unknown database, resources, an operator's intervention (a statement that was
 * taken too long for belongs to it), the system; a transaction that others stood in the way of, waited for a lock, or was idle.
 */
const AWAY = ['08', '28', '3D', '53', '57', '58', '40001', '40P01', '55P03', '25P03'];
/** Data and constraints. */
const REFUSED = ['22', '23'];

const NETWORK = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['ENETUNREACH'],
]);

/** What pg and its pool throw without a code: connections that ended or did not come, a pool that is being closed. */
const SENTENCES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
];

export const postgres: DatabaseAdapter = {
  name: 'postgres',
  isShared: true,
  open: openPostgres,
  startSentence: () => null,
  forUpdate: (query) => query.forUpdate(),
  forNoKeyUpdate: (query) => query.forNoKeyUpdate(),
  skipLocked: sql`for update skip locked`,
  async lockName(trx, name) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
  },
  rowAddress: sql.ref('ctid'),
  jsonItems: (list) => sql`json_array_elements(cast(${JSON.stringify(list)} as json)) as v(value)`,
  // The statement's, not the transaction's or the instant's.
  now: sql<number>`(extract(epoch from statement_timestamp()) * 1000000)::bigint`,
  async primaryKey(queries, table) {
    const { rows } = await sql<{ name: string }>`select a.attname as name
from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
where i.indrelid = cast(${table} as regclass) and i.indisprimary
order by array_position(cast(i.indkey as int2[]), a.attnum)`.execute(queries);
    return rows.map(({ name }) => name);
  },
  pageKey: (queries, table) => postgres.primaryKey(queries, table),
  // It commits in groups by itself.
  createGroupCommit: (kysely) => ({ run: (work) => kysely.transaction().execute(work) }),
  isAway: (error) =>
    NETWORK.has(codeOf(error)) ||
    hasState(error, AWAY) ||
    SENTENCES.some((sentence) => error.message.startsWith(sentence)),
  refusesRows: (error) => hasState(error, REFUSED),
};

/** @param states whole SQLSTATEs, or what they begin with */
function hasState(error: Error, states: readonly string[]): boolean {
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) && states.some((state) => code.startsWith(state));
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
