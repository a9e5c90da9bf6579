/**
 * Both backends for tests: SQLite in a directory of its own, and a real PostgreSQL, one for the whole run, with a fresh database for every
 * test. Where no run offers one (a script), the file that asks starts its own.
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../common/index.ts';
import { type Database, openDatabase } from './database.ts';
import {
  POSTGRES_OF_RUN,
  silentLog,
  startPostgres,
  TEMPLATE,
  type TestPostgres,
} from './testing-postgres.ts';

export { silentLog };

export interface FreshOptions {
  readonly clock?: Clock;
  /** Without tables, so that the first to open it migrates it. Else a copy of one that was migrated, which takes a tenth of the time. */
  readonly empty?: boolean;
}

export interface TestBackend {
  readonly name: 'sqlite' | 'postgres';
  /** A database that no other test sees. */
  fresh(options?: FreshOptions): Promise<TestDatabase>;
}

export interface TestDatabase {
  /** `DATABASE_URL` for whole services on it; null for SQLite. */
  readonly url: string | null;
  /** Opens it (and migrates it, if it is empty); each call is another node. Closed by `remove` at the latest. */
  node(): Promise<Database>;
  remove(): Promise<void>;
}

export interface TestDatabases {
  readonly backends: readonly TestBackend[];
  /** Removes everything. */
  close(): Promise<void>;
}

/**
 * So many calls at once, on connections that are open already: without them the first call is over before the others have one.
 * @returns how each ended
 */
export async function atOnce<T>(
  database: Database,
  calls: number,
  run: () => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const times = Array.from({ length: calls });
  await Promise.all(
    times.map(() => database.kysely.transaction().execute((trx) => sql`select 1`.execute(trx))),
  );
  return await Promise.allSettled(times.map(run));
}

/** Call it once per test file, at the top, and `close` in `afterAll`. */
export async function openTestDatabases(): Promise<TestDatabases> {
  const directories: string[] = [];
  const directory = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'ghostlight-db-'));
    directories.push(path);
    return path;
  };
  const { url: server, stop } = await postgresOfRun();
  // For making and dropping: a connection of its own for each would take as long as the copying.
  const desk = new pg.Client(`${server}/postgres`);
  await desk.connect();
  const migratedFile = await migratedSqlite(directory());

  const testDatabase = (
    options: { url: string | null; dataDir: string; clock: Clock; empty: boolean },
    drop: () => Promise<unknown>,
  ) => {
    const nodes: Database[] = [];
    return {
      url: options.url,
      async node() {
        // A copy is migrated: to find that out takes PostgreSQL two connections, and most of the time of an opening.
        const database = await openDatabase({ ...options, migrates: options.empty, log: silentLog });
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
    backends: [
      {
        name: 'sqlite',
        async fresh({ clock = Date.now, empty = false } = {}) {
          const dataDir = directory();
          if (!empty) copyFileSync(migratedFile, join(dataDir, 'state.sqlite'));
          return testDatabase({ url: null, dataDir, clock, empty }, async () =>
            rmSync(dataDir, { recursive: true, force: true }),
          );
        },
      },
      {
        name: 'postgres',
        async fresh({ clock = Date.now, empty = false } = {}) {
          const name = `test_${randomUUID().replaceAll('-', '')}`;
          const template = empty ? 'template0' : TEMPLATE;
          // Files are copied as they are: half of the time that the default, through the write-ahead log, takes.
          await desk.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
          return testDatabase({ url: `${server}/${name}`, dataDir: '', clock, empty }, () =>
            desk.query(`DROP DATABASE ${name}`),
          );
        },
      },
    ],
    async close() {
      await desk.end();
      await stop();
      for (const path of directories) rmSync(path, { recursive: true, force: true });
    },
  };
}

async function postgresOfRun(): Promise<Pick<TestPostgres, 'url' | 'stop'>> {
  const desk = process.env[POSTGRES_OF_RUN];
  if (desk === undefined) return await startPostgres();
  const answer = await fetch(desk);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return { url: text, stop: async () => undefined };
}

/** @returns the file of a migrated database that is not open */
async function migratedSqlite(dataDir: string): Promise<string> {
  const database = await openDatabase({ url: null, dataDir, log: silentLog });
  await database.close();
  return join(dataDir, 'state.sqlite');
}
