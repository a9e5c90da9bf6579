/** Replicas, as `testing/cluster.ts` plays them. At length: `node tests/cluster/run.ts`. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  eraseVisitorEvents,
  eventSink,
  hitSink,
  openWarehouse,
  type StoredEvent,
  toEventRow,
  type Warehouse,
} from './index.ts';
import { type Cluster, startCluster } from './testing/cluster.ts';
import { clusterRounds } from './testing/cluster-rounds.ts';
import { makeBatch, makeHit, NOON, newScope, silent } from './testing/warehouse.ts';

let pair: Cluster;
let warehouse: Warehouse;
const DESCRIBED = { clusters: [{ value: '1' }, { value: '1' }], macros: ['shard', 'replica'] };

const open = (cluster: string | null = 'pair'): Promise<Warehouse> =>
  openWarehouse({
    ...{ url: pair.url, dataDir: '/nonexistent', retentionDays: 18_250, cluster },
    ...{ log: silent, clock: Date.now },
  });

beforeAll(async () => {
  pair = await startCluster();
});
afterAll(async () => {
  await warehouse?.close();
  await pair.close();
});
beforeEach(() => {
  let turn = 0;
  pair.route = () => {
    turn += 1;
    return turn % 2;
  };
  pair.lag = () => 0;
  pair.faults = () => 'none';
  pair.denied = null;
  pair.describe = DESCRIBED;
});

const countOn = async (replica: number, batch: string): Promise<number> => {
  const [row] = await pair.ask<{ n: string }>(
    replica,
    `SELECT toString(count()) AS n FROM hits WHERE batch = '${batch}'`,
  );
  return Number(row?.n);
};

/** Must come first: the tables are made here. */
it('makes its tables while a replica is down, which makes them when it comes back', async () => {
  pair.route = () => 0;
  pair.down.add(1);
  warehouse = await open();
  await warehouse.migrate();
  pair.down.delete(1);
  await pair.settled();
  expect(await countOn(1, randomUUID())).toBe(0);
  expect(pair.statements.some((sql) => /CREATE TABLE .* ON CLUSTER `pair`/.test(sql))).toBe(true);
});

it('a second start changes nothing and so sends nothing to the whole cluster', async () => {
  pair.statements.length = 0;
  const again = await open();
  await again.migrate();
  await again.close();
  expect(pair.statements.filter((sql) => /^(?:CREATE|ALTER)/.test(sql))).toEqual([]);
});

it('an answer that was lost doubles nothing, though the replica that is asked next lags', async () => {
  const sink = hitSink(warehouse);
  const batch = makeBatch([makeHit(newScope()), makeHit(newScope())]);
  pair.lag = () => 2_500;
  pair.denied = /SYSTEM SYNC/;
  pair.route = () => 0;
  await expect(sink.insert(batch)).rejects.toThrow(/does not answer/);
  pair.route = () => 1;
  expect(await sink.count(batch)).toBe(0);
  await vi.waitFor(() => sink.insert({ ...batch, attempt: 2 }), { timeout: 15_000 });
  await pair.settled();
  expect([await countOn(0, batch.id), await countOn(1, batch.id)]).toEqual([2, 2]);
});

it('a count lets the replica catch up first', async () => {
  const sink = hitSink(warehouse);
  const batch = makeBatch([makeHit(newScope())]);
  pair.lag = () => 300_000;
  pair.route = () => 0;
  await expect(sink.insert(batch)).rejects.toThrow();
  pair.route = () => 1;
  expect(await sink.count(batch)).toBe(1);
});

it('rows wait while there is no majority to confirm them', async () => {
  const batch = makeBatch([makeHit(newScope())]);
  pair.route = () => 0;
  pair.down.add(1);
  await expect(hitSink(warehouse).insert(batch)).rejects.toThrow(/does not answer/);
  pair.down.delete(1);
  await hitSink(warehouse).insert(batch);
  expect(await countOn(1, batch.id)).toBe(1);
});

it('a batch of many rays is looked up through a proxy that takes short addresses alone', async () => {
  const sink = hitSink(warehouse, { shared: true });
  const scope = newScope();
  const now = Date.now();
  const hits = Array.from({ length: 2_500 }, (_, index) =>
    makeHit(scope, { at: now, received_at: now, ray_id: index.toString(16).padStart(16, '0') }),
  );
  await sink.insert(makeBatch([hits[2_400] ?? makeHit(scope)]));
  expect(await sink.duplicates?.(makeBatch(hits))).toEqual([2_400]);
});

it('an erasure is not over before a replica that was down has run it', async () => {
  const scope = newScope();
  const salt = 's';
  const digest = createHash('sha256').update(`${salt}visitor-1`).digest('hex');
  const line = toEventRow({
    id: randomUUID(),
    organization_id: scope.organizationId,
    attribution_id: scope.attributionIds[0],
    at: NOON,
    received_at: NOON,
    event_name: 'page_view',
    visitor_id: 'visitor-1',
  } as StoredEvent);
  const body = Buffer.from(`${line}\n`);
  await eventSink(warehouse, async () => []).insert({
    ...{ id: randomUUID(), attempt: 1, month: '202603', rows: 1, body },
  });
  await pair.settled();
  const left = async (replica: number) => {
    const sql = `SELECT toString(count()) AS n FROM events WHERE attribution_id = '${scope.attributionIds[0]}'`;
    const [row] = await pair.ask<{ n: string }>(replica, sql);
    return Number(row?.n);
  };
  expect([await left(0), await left(1)]).toEqual([1, 1]);
  const erase = () => eraseVisitorEvents(warehouse, scope, { salt, digest }, NOON);
  pair.route = () => 0;
  pair.down.add(1);
  await expect(erase()).rejects.toThrow(/does not answer/);
  expect(await left(0)).toBe(0);
  // The one that answers has none left; the other has.
  await expect(erase()).rejects.toThrow(/does not answer/);
  pair.down.delete(1);
  await erase();
  expect([await left(0), await left(1)]).toEqual([0, 0]);
});

it('several rounds of everything lose and double nothing', async () => {
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const report = await clusterRounds(20, random);
  expect(report).toMatchObject({ acknowledged: 400, lost: 0, doubled: 0 });
  expect(report.struck.cut_after).toBeGreaterThan(0);
});

it.each([
  [
    'no cluster is set for replicated tables',
    null,
    DESCRIBED,
    /are replicated, and CLICKHOUSE_CLUSTER is not set/,
  ],
  ['the cluster is unknown', 'other', { ...DESCRIBED, clusters: [] }, /knows no cluster “other”/],
  [
    'the cluster has shards',
    'wide',
    { ...DESCRIBED, clusters: [{ value: '1' }, { value: '2' }] },
    /has 2 shards/,
  ],
  ['a macro is missing', 'pair', { ...DESCRIBED, macros: ['shard'] }, /no macro \{replica\}/],
])('refuses with a sentence when %s', async (_, cluster, described, sentence) => {
  pair.describe = described;
  const refused = await open(cluster);
  await expect(refused.migrate()).rejects.toThrow(sentence);
  await refused.close();
});
