import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBatchClaims, type Database } from './index.ts';
import { openTestDatabases, type TestDatabase } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const HOUR = 3_600_000;

describe.each(databases.backends)('log push claims on $name', (backend) => {
  let now = 1_750_000_000_000;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  beforeEach(async () => {
    home = await backend.fresh({ clock });
    db = await home.node();
  });
  afterEach(() => home.remove());
  const SCOPE = randomUUID();
  const nodes = async () => {
    const other = await home.node();
    return [
      createBatchClaims(db, { node: 'a', clock, leaseMs: 60_000 }),
      createBatchClaims(other, { node: 'b', clock, leaseMs: 60_000 }),
    ] as const;
  };

  test('of fifty claims at once exactly one wins', async () => {
    const [a, b] = await nodes();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? a : b).claim(SCOPE, 'd')),
    );
    const states = answers.map(({ state }) => state).sort();
    expect(states).toEqual([...Array(49).fill('busy'), 'claimed']);
  });

  test('a confirmed digest is taken everywhere, of its own key alone, for 48 hours', async () => {
    const [a, b] = await nodes();
    const claim = await a.claim(SCOPE, 'd');
    if (claim.state === 'claimed') await claim.confirm();
    expect((await b.claim(SCOPE, 'd')).state).toBe('taken');
    expect((await b.claim(randomUUID(), 'd')).state).toBe('claimed');
    now += 47 * HOUR;
    expect(await b.expire()).toBe(0);
    expect((await b.claim(SCOPE, 'd')).state).toBe('taken');
    now += 2 * HOUR;
    expect(await b.expire()).toBe(2);
    expect((await b.claim(SCOPE, 'd')).state).toBe('claimed');
  });

  test('a released claim is free at once, one whose node died after its lease', async () => {
    const [a, b] = await nodes();
    const first = await a.claim(SCOPE, 'd');
    if (first.state === 'claimed') await first.release();
    const second = await b.claim(SCOPE, 'd');
    expect(second.state).toBe('claimed');
    now += 59_000;
    expect((await a.claim(SCOPE, 'd')).state).toBe('busy');
    now += 2_000;
    expect((await a.claim(SCOPE, 'd')).state).toBe('claimed');
    // The late one's release must not free what another node now holds.
    if (second.state === 'claimed') await second.release();
    expect((await b.claim(SCOPE, 'd')).state).toBe('busy');
  });

  test('a node that restarts completes the claims that its spool has on disk', async () => {
    const [a, b] = await nodes();
    await a.claim(SCOPE, 'd');
    await a.completeFrom([
      { scope: SCOPE, digest: 'd' },
      { scope: SCOPE, digest: 'never claimed' },
    ]);
    now += 120_000;
    expect((await b.claim(SCOPE, 'd')).state).toBe('taken');
    expect((await b.claim(SCOPE, 'never claimed')).state).toBe('taken');
  });

  test('a node that restarts frees at once what a kill left half taken, and nothing of another node', async () => {
    const [a, b] = await nodes();
    await a.claim(SCOPE, 'cut off');
    await b.claim(SCOPE, 'under way on b');
    await a.completeFrom([]);
    expect((await b.claim(SCOPE, 'cut off')).state).toBe('claimed');
    expect((await a.claim(SCOPE, 'under way on b')).state).toBe('busy');
  });
});
