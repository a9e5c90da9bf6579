/** Two nodes that start while their ClickHouse is down: they take hits from the first second, and lose and double none. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  openTestDatabases,
  type TestDatabase,
  type TestDatabases,
} from '../../packages/server/src/database/testing.ts';
import { type StandIn, startStandIn } from '../harness/clickhouse.ts';
import { expectConservation } from '../harness/conservation.ts';
import { TestService, workerHit } from '../harness/service.ts';

let databases: TestDatabases;
let home: TestDatabase;
let clickhouse: StandIn;
let nodes: TestService[];

beforeAll(async () => {
  [databases, clickhouse] = await Promise.all([openTestDatabases(), startStandIn()]);
  const postgres = databases.backends.find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new Error('there is no PostgreSQL');
  home = await postgres.fresh({ empty: true });
  const environment = {
    ...{ DATABASE_URL: home.url ?? '', CLICKHOUSE_URL: clickhouse.url, SECRET_KEY: 'k'.repeat(40) },
  };
  nodes = [new TestService(environment), new TestService(environment)];
  await Promise.all(nodes.map((node) => node.start()));
});
afterAll(async () => {
  for (const node of nodes) await node.dispose();
  await clickhouse.dispose();
  await home.remove();
  await databases.close();
});

it('both take hits, say what is missing, and store each hit once when the warehouse is there', async () => {
  const [one, two] = nodes as [TestService, TestService];
  const property = await one.property();
  const paths = Array.from({ length: 40 }, () => `/away/${randomUUID()}`);
  for (const [index, pathname] of paths.entries()) {
    const node = index % 2 === 0 ? one : two;
    expect((await node.hits(property.key, [workerHit({ pathname })])).status).toBe(204);
  }
  for (const node of nodes) {
    const ready = await node.call('GET', '/readyz');
    expect(ready.status).toBe(200);
    expect(ready.body).toMatchObject({
      status: 'degraded',
      checks: { spool: 'ok', database: 'ok', warehouse: 'failing' },
      reasons: {
        warehouse: expect.stringMatching(
          /^The warehouse has not answered since the service started \(ECONNREFUSED\)\. /,
        ),
      },
    });
    const live = await node.api('GET', `/api/v1/properties/${property.id}/live`);
    expect(live.status).toBe(503);
    expect(live.headers.get('retry-after')).not.toBeNull();
    expect(live.body).toMatchObject({ detail: expect.stringContaining('The warehouse') });
  }

  await clickhouse.open();
  for (const node of nodes) {
    await vi.waitFor(
      async () => expect((await node.call('GET', '/readyz')).body).toMatchObject({ status: 'ready' }),
      { timeout: 60_000, interval: 100 },
    );
  }
  const kept = await Promise.all(nodes.map((node) => expectConservation(node, 60_000)));
  expect(kept.map(({ stored }) => stored)).toEqual([20, 20]);
  const { body } = await two.api('GET', `/api/v1/properties/${property.id}/hits?format=ndjson`);
  const stored = String(body)
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { path: string }).path);
  expect(stored.toSorted()).toEqual(paths.toSorted());
}, 150_000);

it('a migration by hand says that the warehouse is down, in one sentence', async () => {
  await clickhouse.close();
  const stranger = new TestService();
  const { code, stderr } = await stranger.run(['migrate'], {
    ...{ DATABASE_URL: home.url ?? '', CLICKHOUSE_URL: clickhouse.url, SECRET_KEY: 'k'.repeat(40) },
    LOG_LEVEL: 'fatal',
  });
  await stranger.dispose();
  expect(stderr).toMatch(/^CLICKHOUSE_URL: the store does not answer \(ECONNREFUSED\)/);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
});
