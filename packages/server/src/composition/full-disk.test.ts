/** A full disk, met by what the webhooks, the management API and the spools do: 503 with Retry-After, readiness says it, and it ends by itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { audit, createGroupCommit, type Database, openDatabase } from '../database/index.ts';
import { readiness } from '../http/health.ts';
import { problemResponseFor } from '../http/problem.ts';
import { openSpool } from '../spool/index.ts';
import { entry, row, silent } from '../spool/testing.ts';

let directory: string;
let database: Database;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ghostlight-full-'));
  database = await openDatabase({ url: null, dataDir: directory, log: silent });
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

const room = async (pages: number): Promise<void> => {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.kysely);
  await sql`pragma max_page_count = ${sql.raw(String((rows[0]?.page_count ?? 0) + pages))}`.execute(
    database.kysely,
  );
};
const large = (queries: Database['kysely']) =>
  audit(queries, {
    at: 1,
    actor: 'root',
    action: 'test',
    subject: 'x'.repeat(100_000),
    organizationId: null,
  });
const answered = (work: Promise<unknown>) =>
  work.then(
    () => new Response(),
    (error) => problemResponseFor(error, silent),
  );
const ready = () =>
  readiness(
    {
      spool: () => null,
      durability: 'node',
      database: () => database.ping(),
      warehouse: async () => undefined,
      dataDir: directory,
    },
    true,
  );

it('of the state database: every way of writing answers "try again", until there is space', async () => {
  const commits = createGroupCommit(database);
  const ways = [
    () => commits.run(large),
    () => database.kysely.transaction().execute(large),
    () => large(database.kysely),
  ];
  await room(0);
  for (const way of ways) {
    const { status, headers } = await answered(way());
    expect({ status, retry: headers.get('Retry-After') }).toEqual({ status: 503, retry: '5' });
  }
  expect(await ready()).toMatchObject({
    status: 'unavailable',
    checks: { database: 'failing' },
    reasons: { database: expect.stringContaining(directory) },
  });
  await room(1_000);
  for (const way of ways) expect((await answered(way())).status).toBe(200);
  await vi.waitFor(async () => expect((await ready()).status).toBe('ready'), {
    timeout: 10_000,
    interval: 100,
  });
});

it('of a spool: the append is refused, intake closes, and readiness names the disk', async () => {
  const spool = await openSpool({ directory, maxBytes: 1e9, maxPages: 300, clock: Date.now, log: silent });
  const append = () =>
    spool.append(entry([row(1, { line: JSON.stringify({ n: 1, x: 'x'.repeat(500_000) }) })]));
  const failed = await vi.waitFor(
    async () => {
      const error = await append().then(() => null, String);
      expect(error).not.toBeNull();
      return error;
    },
    { timeout: 10_000, interval: 1 },
  );
  expect(failed).toMatch(/could not write/);
  expect(spool.accepting()).toBe(false);
  const { reasons } = await readiness(
    {
      spool: spool.closure,
      durability: 'node',
      database: () => database.ping(),
      warehouse: async () => undefined,
      dataDir: directory,
    },
    true,
  );
  expect(reasons?.spool).toMatch(/disk of .*hits\.spool is full .*Free up space/);
  await spool.close();
});
