/** Which errors say that the database is away or busy, so that the same statement may succeed a moment later; all others are faults of ours. */

/** Primary result codes: busy, locked, out of memory, read-only, input/output error, full, can't be opened. */
const SQLITE_AWAY = new Set([5, 6, 7, 8, 10, 13, 14]);

/**
 * SQLSTATE, whole or its class: connection, refused sign-in, unknown database, resources, an operator's intervention (a statement that was
 * taken too long for belongs to it), the system; a transaction that others stood in the way of, waited for a lock, or was idle.
 */
const POSTGRES_AWAY = ['08', '28', '3D', '53', '57', '58', '40001', '40P01', '55P03', '25P03'];

const NETWORK = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['ENETUNREACH'],
]);

/** What pg, its pool and Kysely throw without a code: connections that ended or did not come, a database that is being closed. */
const SENTENCES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
  'database is not open',
];

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  // The low byte is the primary code; SQLITE_BUSY_SNAPSHOT and the like carry more above it.
  if (code === 'ERR_SQLITE_ERROR') return SQLITE_AWAY.has(Number(errcode) & 0xff);
  if (typeof code === 'string' && NETWORK.has(code)) return true;
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code))
    return POSTGRES_AWAY.some((beginning) => code.startsWith(beginning));
  return SENTENCES.some((sentence) => error.message.startsWith(sentence));
}
