/** Named locks as session locks of the server. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@ghostlight/core/time';
import pg from 'pg';
import type { Log } from '../../common/index.ts';

/** How long a start waits for another node's migration. */
const MIGRATION_WAIT_MS = MINUTE_MS;

/** Advisory locks are numbers: the first 64 bits of a digest, as a signed integer. */
function lockNumber(name: string): string {
  return createHash('sha256').update(`ghostlight:${name}`).digest().readBigInt64BE(0).toString();
}

/**
 * A session lock on a connection of its own: the server frees it when this process or its network dies, however that happens, and a
 * pool that is busy can't keep a lock from being taken or given back.
 */
export async function tryLock(
  connection: pg.ClientConfig,
  name: string,
  log: Log,
): Promise<(() => Promise<void>) | null> {
  const client = new pg.Client(connection);
  client.on('error', (error) =>
    log.warn({ err: error, lock: name }, 'the connection that held a lock was lost'),
  );
  await client.connect();
  let held = false;
  try {
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1::bigint) as held',
      [lockNumber(name)],
    );
    held = rows[0]?.held === true;
  } finally {
    if (!held) await client.end();
  }
  return held ? () => client.end() : null;
}

export async function untilLocked(
  connection: pg.ClientConfig,
  name: string,
  log: Log,
): Promise<() => Promise<void>> {
  const deadline = performance.now() + MIGRATION_WAIT_MS;
  for (;;) {
    const release = await tryLock(connection, name, log);
    if (release !== null) return release;
    if (performance.now() > deadline) {
      throw new Error(
        'Another node has held the migration lock for a minute; look at its log, then start again.',
      );
    }
    await sleep(100);
  }
}
