import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../common/index.ts';
import {
  audit,
  checkCanary,
  createBatchClaims,
  createSecretCipher,
  type Database,
  signalKey,
} from './index.ts';
import { int8ToNumber } from './postgres.ts';
import { openTestDatabases, type TestDatabase } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const HOUR = 3_600_000;

describe.each(databases.backends)('the state database on $name', (backend) => {
  let now = 1_750_000_000_000;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  beforeEach(async () => {
    home = await backend.fresh({ clock });
    db = await home.node();
  });
  afterEach(() => home.remove());

  test('stands from nothing with one organization, and opening again changes nothing', async () => {
    const empty = await backend.fresh({ empty: true });
    try {
      const first = await empty.node();
      await first.migrate();
      const again = await empty.node();
      await again.ping();
      const organizations = await again.reader.selectFrom('organizations').selectAll().execute();
      expect(organizations.map(({ id }) => id)).toEqual([DEFAULT_ORGANIZATION_ID]);
    } finally {
      await empty.remove();
    }
  });

  test('five nodes that start at once on an empty database migrate it once', async () => {
    const empty = await backend.fresh({ empty: true });
    try {
      const nodes = await Promise.all(Array.from({ length: 5 }, () => empty.node()));
      for (const node of nodes) {
        expect(await node.reader.selectFrom('organizations').select('id').execute()).toHaveLength(1);
      }
    } finally {
      await empty.remove();
    }
  });

  test('keeps times and counts beyond 32 bits as numbers and refuses to round', async () => {
    const at = Number.MAX_SAFE_INTEGER;
    await audit(db.kysely, { at, actor: 'root', action: 'test', subject: 'x', organizationId: null });
    const row = await db.reader.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow();
    expect(row.at).toBe(at);
    const { n } = await db.reader
      .selectFrom('audit_log')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(1);
    expect(() => int8ToNumber('9007199254740993')).toThrow(RangeError);
  });

  test('enforces references and rolls a failed transaction back whole', async () => {
    const attempt = db.kysely.transaction().execute(async (trx) => {
      await audit(trx, { at: 1, actor: 'root', action: 'test', subject: 'x', organizationId: null });
      await audit(trx, { at: 1, actor: 'root', action: 'test', subject: 'x', organizationId: randomUUID() });
    });
    await expect(attempt).rejects.toThrow();
    expect(await db.reader.selectFrom('audit_log').selectAll().execute()).toEqual([]);
  });

  test('answers reads while a transaction stands open, and shows only what is committed', async () => {
    const opened = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const transaction = db.kysely.transaction().execute(async (trx) => {
      await audit(trx, { at: 1, actor: 'root', action: 'test', subject: 'x', organizationId: null });
      opened.resolve();
      await finish.promise;
    });
    await opened.promise;
    expect(await db.reader.selectFrom('audit_log').selectAll().execute()).toEqual([]);
    finish.resolve();
    await transaction;
    expect(await db.reader.selectFrom('audit_log').selectAll().execute()).toHaveLength(1);
  });

  test('gives a lock to one holder at a time, on every node, and frees it after an error', async () => {
    const other = await home.node();
    const inside: (boolean | number)[] = [];
    const ran = await db.withLock('job:a', async () => {
      inside.push(await other.withLock('job:a', async () => undefined));
      inside.push(await db.withLock('job:a', async () => undefined));
      inside.push(await other.withLock('job:b', async () => undefined));
    });
    expect([ran, inside]).toEqual([true, [false, false, true]]);
    await expect(
      db.withLock('job:a', async () => {
        throw new Error('the job failed');
      }),
    ).rejects.toThrow('the job failed');
    expect(await other.withLock('job:a', async () => undefined)).toBe(true);
  });

  test('lets those who wait for a lock in one after the other', async () => {
    const nodes = [db, await home.node(), await home.node()];
    let inside = 0;
    const seen: number[] = [];
    await Promise.all(
      nodes.map((node) =>
        node.underLock('tables', async () => {
          inside += 1;
          await new Promise((resolve) => setTimeout(resolve, 10));
          seen.push(inside);
          inside -= 1;
        }),
      ),
    );
    expect(seen).toEqual([1, 1, 1]);
  });

  test('counts a signal without an organization in one row, however often it comes', async () => {
    const signal = {
      organization_id: null,
      attribution_id: null,
      kind: 'auth_error',
      detail: 'missing',
      endpoint: 'edge_worker',
    };
    const row = { ...signal, key: signalKey(signal), count: 1, first_at: 1, last_at: 1, sample: null };
    for (let i = 0; i < 3; i += 1) {
      await db.kysely
        .insertInto('setup_signals')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet(({ eb }) => ({ count: eb('setup_signals.count', '+', 1) })),
        )
        .execute();
    }
    const rows = await db.reader.selectFrom('setup_signals').select('count').execute();
    expect(rows.map(({ count }) => count)).toEqual([3]);
    expect(signalKey({ ...signal, organization_id: '' })).not.toBe(row.key);
  });

  describe('log push claims', () => {
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

  test('a node with another SECRET_KEY is refused, with the old one beside it the canary is encrypted anew', async () => {
    const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
    const other = await home.node();
    await Promise.all([
      checkCanary(db, createSecretCipher(old)),
      checkCanary(other, createSecretCipher(old)),
    ]);
    await expect(checkCanary(db, createSecretCipher(fresh))).rejects.toThrow('SECRET_KEY_PREVIOUS');
    await checkCanary(db, createSecretCipher(fresh, old));
    await checkCanary(db, createSecretCipher(fresh));
    await expect(checkCanary(db, createSecretCipher(old))).rejects.toThrow('SECRET_KEY');
  });
});
