/** The same on PostgreSQL (state and spool) and a ClickHouse server: two nodes are posted to, both are killed, everything is restored elsewhere. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabase } from '../../packages/server/src/database/testing.ts';
import { compare, rayOf } from '../crash/rounds.ts';
import { type StandIn, startStandIn } from '../harness/clickhouse.ts';
import { expectEventConservation } from '../harness/conservation.ts';
import { TestService, workerHit } from '../harness/service.ts';

const databases = await openTestDatabases();
const folder = mkdtempSync(join(tmpdir(), 'ghostlight-backups-'));
const passphrase = join(folder, 'passphrase');
const SECRET_KEY = 'k'.repeat(40);
const PLACE = `File('${folder}/{name}')`;
const standIns: StandIn[] = [];
const places: TestDatabase[] = [];
const services: TestService[] = [];

/** Stores on servers without data, and what a node needs to use them. @param migrated with ClickHouse's tables */
async function servers(migrated: boolean): Promise<Record<string, string>> {
  const postgres = databases.backends.find(({ name }) => name === 'postgres');
  const database = await postgres?.fresh({ empty: true });
  const clickhouse = await startStandIn({ backupsDirectory: folder, migrated });
  await clickhouse.open();
  if (database === undefined) throw new Error('there is no PostgreSQL');
  standIns.push(clickhouse);
  places.push(database);
  return {
    ...{ DATABASE_URL: database.url ?? '', CLICKHOUSE_URL: clickhouse.url, CLICKHOUSE_CLUSTER: 'none' },
    ...{ SECRET_KEY, SPOOL: 'postgres' },
  };
}

async function node(environment: Record<string, string>): Promise<TestService> {
  const service = new TestService(environment);
  services.push(service);
  // No embedded warehouse is used here.
  rmSync(join(service.dataDir, 'warehouse'), { recursive: true, force: true });
  return service;
}

beforeAll(() => writeFileSync(passphrase, 'correct horse battery\n'));
afterAll(async () => {
  for (const service of services) await service.dispose();
  for (const standIn of standIns) await standIn.dispose();
  for (const place of places) await place.remove();
  await databases.close();
  rmSync(folder, { recursive: true, force: true });
});

async function post(
  service: TestService,
  key: string,
  acknowledged: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const paths = Array.from({ length: 3 }, () => `/crash/${randomUUID()}`);
    const hits = paths.map((pathname) => workerHit({ pathname, ray_id: rayOf(pathname) }));
    const { status } = await service.hits(key, hits).catch(() => ({ status: 0 }));
    if (status === 204) for (const path of paths) acknowledged.add(path);
    await sleep(5);
  }
}

/** Over all nodes that ever were. */
const spoolOf = async (service: TestService) =>
  (await service.api('GET', '/api/v1/spool')).body as { pending_rows: number; all_nodes: { stored: number } };

it('holds what two nodes had acknowledged, once', async () => {
  const before = await servers(true);
  const a = await node(before);
  const b = await node(before);
  await a.start();
  await b.start();
  const { id, key } = await a.property();
  const acknowledged = new Set<string>();
  const stop = new AbortController();
  const posting = [a, b, a, b].map((service) => post(service, key, acknowledged, stop.signal));
  while (acknowledged.size < 300) await sleep(20);

  const file = join(folder, 'backup.tar.zst');
  const words = ['backup', 'create', file, '--passphrase-file', passphrase];
  expect(await a.run(words)).toMatchObject({ code: 1, stderr: expect.stringContaining('--warehouse-to') });
  const inside = await a.run([
    ...words,
    '--warehouse-to',
    "S3('https://s3.example/{name}', 'key', 'secret')",
  ]);
  expect(inside).toMatchObject({ code: 1, stderr: expect.stringContaining('named collection') });
  const first = new Set(acknowledged);
  const made = await a.run([...words, '--warehouse-to', PLACE]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(acknowledged.size, 'intake went on').toBeGreaterThan(first.size);
  const later = acknowledged.size;
  while (acknowledged.size < later + 50) await sleep(20);
  for (const service of [a, b]) await service.stop('SIGKILL');
  stop.abort();
  await Promise.all(posting);

  const after = await servers(false);
  const c = await node(after);
  const back = ['restore', file, '--passphrase-file', passphrase];
  const other = await c.run(back, { SECRET_KEY: 'x'.repeat(40) });
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('SECRET_KEY differs') });
  const asFile = await c.run(back, { SPOOL: 'file' });
  expect(asFile).toMatchObject({ code: 1, stderr: expect.stringContaining('SPOOL names files') });
  const put = await c.run(back);
  expect(put).toMatchObject({ code: 0, stderr: '' });
  await c.start();
  await expect.poll(async () => (await spoolOf(c)).pending_rows, { timeout: 60_000 }).toBe(0);
  await expectEventConservation(c);
  const found = await compare(c, id, first);
  expect(found).toMatchObject({ lost: [], doubled: [] });
  expect(found.rows).toBe((await spoolOf(c)).all_nodes.stored);
  // Its own key still works, and what was acknowledged before is known as a repetition.
  const [known = ''] = first;
  await c.hits(key, [workerHit({ pathname: known, ray_id: rayOf(known) })]);
  await expect.poll(async () => (await spoolOf(c)).pending_rows, { timeout: 20_000 }).toBe(0);
  expect((await compare(c, id, first)).doubled).toEqual([]);

  // Nothing that runs, or holds data, is touched.
  expect(await c.run(back)).toMatchObject({ code: 1, stderr: expect.stringContaining('in use') });
  const d = await node(after);
  expect(await d.run([...back, '--replace'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Services are connected to SPOOL_DATABASE_URL'),
  });
  await c.stop();
  expect(await d.run(back)).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') });
  const replaced = await d.run([...back, '--replace', '--json']);
  expect(replaced.code, replaced.stderr).toBe(0);
  expect((JSON.parse(replaced.stdout) as { moved_to: string }).moved_to).toMatch(
    /^the schema before_restore_\S+ of PostgreSQL, tables before_restore_\S+_… of ClickHouse$/,
  );
});
