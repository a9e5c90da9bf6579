import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID as O } from '../common/index.ts';
import { silentLog as log, openTestDatabases } from '../database/testing.ts';
import { createQuarantine, createSetupSignals, type QuarantinedElement } from './index.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());
const all = { kind: 'all' } as const;
const own = { kind: 'organization', id: O } as const;
const DAY = 86_400_000;

describe.each(databases.backends)('on $name', (backend) => {
  const property = { id: randomUUID(), organizationId: O };

  it('counts signals over flushes and nodes, and forgets them after 7 days', async () => {
    const test = await backend.fresh();
    let now = 1_000_000_000_000;
    const clock = () => now;
    const nodes = [await test.node(), await test.node()].map((database) =>
      createSetupSignals({ database, clock, log }),
    );
    const [a, b] = nodes;
    const dropped = {
      kind: 'dropped_not_ai',
      endpoint: 'edge_logpush',
      organizationId: O,
      attributionId: property.id,
    } as const;
    a?.note({ ...dropped, detail: '40', sample: 'curl/8 \0' });
    await a?.flush();
    now += 5;
    b?.note({ ...dropped, detail: '2' });
    a?.note({ ...dropped, detail: '1', sample: 'x'.repeat(5_000) });
    a?.note({
      kind: 'auth_error',
      endpoint: 'edge_worker',
      organizationId: null,
      attributionId: null,
      detail: 'unknown',
    });
    // One after the other: two writers of one SQLite file in one process would wait for each other.
    for (const node of nodes) await node.close();
    const listed = (await a?.list(all, property)) ?? [];
    expect(listed).toHaveLength(2);
    expect(listed.find(({ kind }) => kind === 'dropped_not_ai')).toMatchObject({
      count: 43,
      firstAt: now - 5,
      lastAt: now,
      samples: ['x'.repeat(200), 'curl/8 '],
    });
    // Signals without an owner are not shown to an organization.
    expect((await a?.list(own, property))?.map(({ kind }) => kind)).toEqual(['dropped_not_ai']);
    expect(await a?.list({ kind: 'organization', id: randomUUID() }, property)).toEqual([]);
    now += 7 * DAY;
    expect(await a?.expire()).toBe(2);
    await test.remove();
  });

  it('keeps a flood of different signals bounded', async () => {
    const test = await backend.fresh();
    const database = await test.node();
    const signals = createSetupSignals({ database, clock: Date.now, log });
    for (let i = 0; i < 5_000; i++) {
      signals.note({
        kind: 'wrong_path',
        endpoint: 'edge_worker',
        organizationId: null,
        attributionId: null,
        detail: `d${i}`,
      });
    }
    await signals.close();
    const { count } = await database.kysely
      .selectFrom('setup_signals')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(1_000);
    await test.remove();
  });

  it('moves rejected elements once, keeps the newest 1,000, and shows them to their owner', async () => {
    const test = await backend.fresh();
    const now = 1_000_000_000_000;
    let held: QuarantinedElement[] = Array.from({ length: 1_200 }, (_, i) => ({
      id: randomUUID(),
      organizationId: O,
      attributionId: i % 2 === 0 ? property.id : null,
      endpoint: 'edge_worker',
      reason: 'missing',
      field: 'host',
      body: `{"n":${i}}\0`,
      at: now - 2_000 + i,
    }));
    let crash = true;
    const source = {
      uncollectedQuarantine: async (limit: number) => held.slice(0, limit),
      removeQuarantine: async (ids: readonly string[]) => {
        if (crash) throw new Error('killed');
        held = held.filter(({ id }) => !ids.includes(id));
      },
    };
    const quarantine = createQuarantine({ database: await test.node(), source, clock: () => now, log });
    await expect(quarantine.collect()).rejects.toThrow('killed');
    crash = false;
    expect(await quarantine.collect()).toBe(1_200);
    expect(held).toEqual([]);
    const listed = await quarantine.list(own, property, 5_000);
    expect(listed).toHaveLength(1_000);
    expect(listed[0]?.body).toBe('{"n":1199}�');
    expect(await quarantine.list({ kind: 'organization', id: randomUUID() }, property, 10)).toEqual([]);
    await quarantine.close();
    await test.remove();
  });
});
