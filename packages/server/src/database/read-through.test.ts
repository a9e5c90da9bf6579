import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createReadThrough } from './index.ts';

function setup(
  options: { graceMs?: number; concurrency?: number; maxWaiting?: number; maxEntries?: number } = {},
) {
  const rows = new Map<string, string>();
  const looked: string[] = [];
  let now = 0;
  let gate: Promise<void> | undefined;
  let failing = false;
  const cache = createReadThrough<string>({
    clock: () => now,
    load: async (key) => {
      looked.push(key);
      const value = rows.get(key);
      await gate;
      if (failing) throw new Error('the database is down');
      return value;
    },
    ...options,
  });
  return {
    cache,
    rows,
    looked,
    pass: (ms: number) => {
      now += ms;
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = undefined;
        resolve();
      };
    },
    fail: (value: boolean) => {
      failing = value;
    },
  };
}

describe('the read-through cache', () => {
  test('keeps what it found for a bounded time while the database fails or hangs', async () => {
    const { cache, rows, pass, fail, hold } = setup({ graceMs: 60_000 });
    rows.set('a', 'A').set('b', 'B').set('c', 'C');
    for (const key of ['a', 'b', 'c']) await cache.get(key);
    pass(5_001);
    fail(true);
    expect(cache.peek('a')).toBeUndefined();
    expect(await cache.get('a')).toBe('A');
    // Known to be down: no caller waits any more.
    expect(cache.peek('b')).toBe('B');
    cache.forget('b');
    expect(cache.peek('b')).toBeUndefined();
    await expect(cache.get('b')).rejects.toThrow('the database is down');
    await expect(cache.get('new')).rejects.toThrow('the database is down');
    pass(54_999);
    expect(cache.peek('a')).toBe('A');
    pass(1);
    expect(cache.peek('a')).toBeUndefined();
    await expect(cache.get('a')).rejects.toThrow('the database is down');
    fail(false);
    expect(await cache.get('a')).toBe('A');
    pass(5_001);
    const release = hold();
    expect(cache.peek('a')).toBeUndefined();
    expect(await cache.get('a')).toBe('A');
    expect(cache.peek('a')).toBe('A');
    rows.delete('a');
    release();
    await turn();
  });

  test('without a grace period uses nothing old, whatever the database’s state', async () => {
    const { cache, rows, pass, fail } = setup();
    rows.set('a', 'A');
    await cache.get('a');
    pass(5_001);
    fail(true);
    await expect(cache.get('a')).rejects.toThrow('the database is down');
    expect(cache.peek('a')).toBeUndefined();
  });

  test('caches a value for 5 seconds and an absence for 1', async () => {
    const { cache, rows, pass } = setup();
    rows.set('a', 'A');
    expect(cache.peek('a')).toBeUndefined();
    expect(await cache.get('a')).toBe('A');
    expect(await cache.get('b')).toBeNull();
    rows.clear();
    rows.set('b', 'B');
    pass(1_000);
    expect([cache.peek('a'), cache.peek('b')]).toEqual(['A', null]);
    pass(1);
    expect(await cache.get('b')).toBe('B');
    pass(4_000);
    expect(cache.peek('a')).toBeUndefined();
    expect(await cache.get('a')).toBeNull();
  });

  test('looks up again ahead of need, so that steady traffic never waits', async () => {
    const { cache, rows, looked, pass } = setup();
    rows.set('a', 'A');
    await cache.get('a');
    for (let second = 0; second < 60; second += 1) {
      pass(1_000);
      expect(cache.peek('a')).toBe('A');
      await turn();
    }
    expect(looked.length).toBeGreaterThan(15);
    expect(looked.length).toBeLessThan(25);
  });

  test('a look-up that began before a change does not bring the old value back', async () => {
    const { cache, rows, hold } = setup();
    rows.set('a', 'old');
    const release = hold();
    const early = cache.get('a');
    await turn();
    rows.set('a', 'new');
    cache.forget('a');
    release();
    expect(await early).toBe('old');
    expect(await cache.get('a')).toBe('new');
  });

  test('forgets all at once, what is being looked up included', async () => {
    const { cache, rows, hold } = setup();
    rows.set('a', 'old').set('b', 'B');
    expect([await cache.get('b'), await cache.get('c')]).toEqual(['B', null]);
    const release = hold();
    const early = cache.get('a');
    await turn();
    rows.set('a', 'new').set('c', 'C');
    cache.forgetAll();
    release();
    expect(await early).toBe('old');
    expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([undefined, undefined, undefined]);
    expect([await cache.get('a'), await cache.get('c')]).toEqual(['new', 'C']);
  });

  test('a hundred callers of one key cause one look-up', async () => {
    const { cache, rows, looked } = setup();
    rows.set('a', 'A');
    await Promise.all(Array.from({ length: 100 }, () => cache.get('a')));
    expect(looked).toEqual(['a']);
  });

  test('guesses are looked up few at a time, wait in a bounded line, and are refused beyond it', async () => {
    const { cache, looked, hold } = setup({ concurrency: 2, maxWaiting: 3 });
    const release = hold();
    const calls = Array.from({ length: 10 }, (_, i) => cache.get(`guess ${i}`));
    const settled = Promise.allSettled(calls);
    await turn();
    expect(looked).toHaveLength(2);
    release();
    const refused = (await settled).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    expect(looked).toHaveLength(5);
    // No slot was leaked.
    expect(await Promise.all([cache.get('x'), cache.get('y'), cache.get('z')])).toEqual([null, null, null]);
  });

  test('what was found before passes a full line of guesses, also when it has grown old', async () => {
    const { cache, rows, looked, pass, hold } = setup({ concurrency: 1, maxWaiting: 1 });
    rows.set('a', 'A');
    await cache.get('a');
    pass(60_000);
    const release = hold();
    const guesses = Promise.allSettled(Array.from({ length: 5 }, (_, i) => cache.get(`guess ${i}`)));
    const found = cache.get('a');
    await turn();
    expect(looked).toEqual(['a', 'guess 0', 'a']);
    release();
    expect(await found).toBe('A');
    await guesses;
  });

  test('guesses push no real key out', async () => {
    const { cache, rows, looked } = setup({ maxEntries: 5 });
    rows.set('a', 'A');
    await cache.get('a');
    for (let i = 0; i < 20; i += 1) await cache.get(`guess ${i}`);
    expect(cache.peek('a')).toBe('A');
    expect(cache.peek('guess 0')).toBeUndefined();
    expect(looked).toHaveLength(21);
  });

  test('a failed look-up is passed on, remembered as nothing, and gives its slot back', async () => {
    const { cache, rows, fail } = setup({ concurrency: 1 });
    rows.set('a', 'A');
    fail(true);
    await expect(cache.get('a')).rejects.toThrow('the database is down');
    await expect(cache.get('a')).rejects.toThrow('the database is down');
    fail(false);
    expect(await cache.get('a')).toBe('A');
  });
});
