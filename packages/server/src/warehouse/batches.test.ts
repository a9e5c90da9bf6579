/** One server that does not say what runs: how a doubtful batch goes on. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hitSink, type Warehouse } from './index.ts';
import type { Settings } from './statement.ts';
import { makeBatch, makeHit, newScope } from './testing/warehouse.ts';
import type { Standing } from './warehouse.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const denied = Object.assign(new Error('Not enough privileges'), { code: '497', type: 'ACCESS_DENIED' });

function server(standing: Standing, insert: () => Promise<void> = async () => undefined) {
  const inserts: Settings[] = [];
  const asked: string[] = [];
  const warehouse: Warehouse = {
    clock: () => 0,
    onBehalfOf: (_, run) => run(),
    rows: async <Row>(_: string, { sql }: { sql: string }) => {
      asked.push(sql);
      if (sql.includes('system.processes')) throw denied;
      return [{ n: '0' }] as Row[];
    },
    lines: async () => Buffer.alloc(0),
    replication: async () => false,
    command: async () => undefined,
    insertRows: async (_, settings) => {
      inserts.push(settings);
      await insert();
    },
    standing: async () => standing,
    syncReplica: async (table) => {
      asked.push(`sync ${table}`);
    },
    migrate: async () => undefined,
    ping: async () => undefined,
    pid: () => null,
    close: async () => undefined,
  };
  return { sink: hitSink(warehouse), inserts, asked };
}

it('waits out an insert that it may not see, and ships again after that', async () => {
  const { sink } = server('single', () => Promise.reject(new Error('socket hang up')));
  const batch = makeBatch([makeHit(newScope())]);
  await expect(sink.insert(batch)).rejects.toThrow();
  await expect(sink.count(batch)).rejects.toThrow(/may run for 75 s more.*Grant SELECT ON system.processes/);
  vi.advanceTimersByTime(74_000);
  await expect(sink.count(batch)).rejects.toThrow(/1 s more/);
  vi.advanceTimersByTime(1_000);
  expect(await sink.count(batch)).toBe(0);
});

it('waits for one that a process before it may have begun', async () => {
  const { sink } = server('single');
  await expect(sink.count(makeBatch([makeHit(newScope())]))).rejects.toThrow(/75 s more/);
  vi.advanceTimersByTime(75_000);
  expect(await sink.count(makeBatch([makeHit(newScope())]))).toBe(0);
});

it('a server ends an insert before that time', async () => {
  const { sink, inserts } = server('single');
  await sink.insert(makeBatch([makeHit(newScope())]));
  expect(inserts[0]).toMatchObject({ max_execution_time: 50 });
});

it('on replicas keeps one token for every attempt, and asks nothing that needs a right', async () => {
  const { sink, inserts, asked } = server('replicated');
  const batch = makeBatch([makeHit(newScope())]);
  await sink.insert(batch);
  await sink.insert({ ...batch, attempt: 2 });
  expect(inserts.map((settings) => settings['insert_deduplication_token'])).toEqual([batch.id, batch.id]);
  expect(inserts[0]).toMatchObject({ insert_quorum: 'auto', insert_deduplicate: 1 });
  expect(await sink.count(batch)).toBe(0);
  expect(asked[0]).toBe('sync hits');
  expect(asked.join()).not.toContain('system.processes');
});

it('on one engine every attempt has a token of its own: a token may outlive its rows there', async () => {
  for (const standing of ['single', 'embedded'] as const) {
    const { sink, inserts } = server(standing);
    const batch = makeBatch([makeHit(newScope())]);
    await sink.insert(batch);
    await sink.insert({ ...batch, attempt: 2 });
    expect(new Set(inserts.map((settings) => settings['insert_deduplication_token'])).size).toBe(2);
  }
});
