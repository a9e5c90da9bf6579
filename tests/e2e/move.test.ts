/** `ghostlight move` as an operator runs it: killed on the way, run again, started on the other stores, and moved back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  openTestDatabases,
  type TestDatabase,
  type TestDatabases,
} from '../../packages/server/src/database/testing.ts';
import { openWarehouse, type Warehouse } from '../../packages/server/src/warehouse/index.ts';
import { SERVICE_RETENTION_DAYS, silent } from '../../packages/server/src/warehouse/testing/warehouse.ts';
import { type StandIn, startStandIn } from '../harness/clickhouse.ts';
import { expectConservation } from '../harness/conservation.ts';
import { ADMIN_TOKEN, TestService, workerHit } from '../harness/service.ts';

const LAUNCHER = fileURLToPath(new URL('../../packages/server/bin/ghostlight.js', import.meta.url));
const HITS = 60;
/** Of each: enough that a move takes some inserts. */
const COPIES = 400;

let databases: TestDatabases;
let home: TestDatabase;
let clickhouse: StandIn;
const one = new TestService();
const back = new TestService();
/** The stand-in's, past the service. */
let there: Warehouse;
let property: { id: string; key: string };

beforeAll(async () => {
  [databases, clickhouse] = await Promise.all([openTestDatabases(), startStandIn()]);
  const postgres = databases.backends.find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new Error('there is no PostgreSQL');
  home = await postgres.fresh({ empty: true });
  await clickhouse.open();
  there = await openAt(clickhouse.url, '');
  await one.start();
  property = await one.property();
  for (let n = 0; n < HITS; n += 1) await one.hits(property.key, [workerHit({ pathname: `/move/${n % 7}` })]);
  await expectConservation(one);
  await one.stop();
  const warehouse = await openAt(null, one.dataDir);
  await warehouse.command({
    sql: `INSERT INTO hits SELECT hits.* REPLACE (generateUUIDv4() AS id, at - toIntervalDay(number % 20) AS at)
FROM hits CROSS JOIN numbers(${COPIES}) AS copies`,
  });
  await warehouse.close();
});
afterAll(async () => {
  await there.close();
  for (const service of [one, back]) await service.dispose();
  await clickhouse.dispose();
  await home.remove();
  await databases.close();
});

const openAt = (url: string | null, dataDir: string): Promise<Warehouse> =>
  openWarehouse({ url, dataDir, retentionDays: SERVICE_RETENTION_DAYS, clock: Date.now, log: silent });

const servers = () => ({
  ...{ DATABASE_URL: home.url ?? '', CLICKHOUSE_URL: clickhouse.url },
  ...{ SECRET_KEY: readFileSync(join(one.dataDir, 'secret-key'), 'utf8').trim(), ADMIN_TOKEN },
});

/** What people see of it. */
async function reports(service: TestService): Promise<unknown> {
  const asked = ['bots', 'pages', 'overview'].map(async (name) => {
    const { status, body } = await service.api(
      'GET',
      `/api/v1/properties/${property.id}/reports/${name}?days=30`,
    );
    expect(status, name).toBe(200);
    return body;
  });
  return await Promise.all(asked);
}

/** @param until ends the command with SIGKILL when it resolves */
async function moves(
  words: readonly string[],
  environment: Record<string, string>,
  until?: () => Promise<void>,
) {
  const child = spawn(process.execPath, [LAUNCHER, 'move', ...words], {
    env: { PATH: process.env['PATH'], DATA_DIR: one.dataDir, LISTS_REFRESH: 'off', ...environment },
    cwd: one.dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = once(child, 'exit');
  if (until !== undefined) {
    await until();
    child.kill('SIGKILL');
  }
  const [code] = (await ended) as [number | null];
  return { code, output };
}

it('is killed, goes on, and both ways every report is the same', async () => {
  await one.start();
  const before = await reports(one);
  await one.stop();
  const to = ['--to-database', home.url ?? '', '--to-warehouse', clickhouse.url];

  const arrived = async () => {
    for (;;) {
      const rows = await there
        .rows<{ n: string }>('live', { sql: 'SELECT toString(count()) AS n FROM hits' })
        .catch(() => []);
      if (Number(rows[0]?.n ?? 0) > 0) return;
      await sleep(5);
    }
  };
  expect((await moves(to, {}, arrived)).code).toBeNull();
  const early = await one.run(['serve'], servers());
  expect(early.stderr).toMatch(/^The state database is the target of a move that has not ended\./m);

  const { code, output } = await moves(to, {});
  expect(output).toContain('The warehouse goes on where an earlier run has ended.');
  expect(output).toContain('source and target are the same, by count and checksum of each table and day.');
  expect(output).toContain('Set these settings and start:');
  expect(code).toBe(0);
  expect(output).not.toContain(new URL(clickhouse.url).password);

  const onServers = new TestService(servers());
  await onServers.start();
  expect(await reports(onServers)).toEqual(before);
  await onServers.stop();

  const returned = await moves(['--to-data-dir', back.dataDir, '--json'], servers());
  expect(returned.output).toContain('"differences":[]');
  expect(returned.code).toBe(0);
  await back.start();
  expect(await reports(back)).toEqual(before);
  await onServers.dispose();
}, 240_000);
