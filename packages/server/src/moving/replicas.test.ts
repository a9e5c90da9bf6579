/** A move to the played pair of replicas: one lags, answers are lost, and no row is lost or doubled. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hitSink, openWarehouse, unfinishedMove, type Warehouse } from '../warehouse/index.ts';
import { type Cluster, startCluster } from '../warehouse/testing/cluster.ts';
import {
  makeBatch,
  makeHit,
  newScope,
  openTestWarehouse,
  silent,
  TEST_RETENTION_DAYS,
  type TestWarehouse,
} from '../warehouse/testing/warehouse.ts';
import { beginWarehouse, createProgress, moveWarehouse } from './index.ts';

const HITS = 90;
let source: TestWarehouse;
let pair: Cluster;
let target: Warehouse;

beforeAll(async () => {
  [source, pair] = await Promise.all([openTestWarehouse(), startCluster()]);
  const scope = newScope();
  const now = Date.now();
  const hits = Array.from({ length: HITS }, (_, n) => makeHit(scope, { at: now - (n % 3) * 86_400_000 }));
  for (const day of [0, 1, 2])
    await hitSink(source.warehouse).insert(makeBatch(hits.filter((_, n) => n % 3 === day)));
  target = await openWarehouse({
    ...{ url: pair.url, cluster: 'pair', dataDir: '', retentionDays: TEST_RETENTION_DAYS },
    ...{ clock: Date.now, log: silent },
  });
  await target.migrate();
});
afterAll(async () => {
  await target.close();
  await pair.close();
  await source.close();
});

it('stores each row once on both, and is marked until it has ended', async () => {
  let turn = 0;
  let cut = 0;
  pair.lag = () => 300;
  pair.route = () => {
    turn += 1;
    return turn % 2;
  };
  pair.faults = (statement) => {
    if (!statement.startsWith('INSERT INTO hits') || cut === 2) return 'none';
    cut += 1;
    return cut === 1 ? 'cut_after' : 'page';
  };
  expect(await beginWarehouse(target, 'home')).toBe(false);
  const progress = createProgress(() => undefined);
  const signal = new AbortController().signal;
  const { differences } = await moveWarehouse(source.warehouse, target, {
    ...{ from: 'home', resumes: false, retentionDays: TEST_RETENTION_DAYS, progress, signal },
  });
  expect(cut).toBe(2);
  expect(differences).toEqual([]);
  expect(await unfinishedMove(target)).toBe('home');
  await pair.settled();
  for (const replica of [0, 1])
    expect(await pair.ask(replica, 'SELECT toString(count()) AS n FROM hits')).toEqual([{ n: String(HITS) }]);
});
