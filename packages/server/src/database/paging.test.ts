import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../common/index.ts';
import type { Database, PageQuery } from './index.ts';
import { newestFirst } from './paging.ts';
import { openTestDatabases, type TestDatabase } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('a list that is read in pages on $name', (backend) => {
  let home: TestDatabase;
  let db: Database;
  beforeEach(async () => {
    home = await backend.fresh();
    db = await home.node();
  });
  afterEach(() => home.remove());

  const write = (at: number, id: string) =>
    db.kysely
      .insertInto('audit_log')
      .values({ id, at, actor: 'root', action: 'x', subject: 'x', organization_id: null })
      .execute();
  const page = (ties: 'asc' | 'desc', query: PageQuery) =>
    newestFirst(
      db.reader.selectFrom('audit_log').select(['id', 'at']),
      { at: sql<number>`at`, id: sql<string>`id`, ties, idForm: 'x[0-9]{3}', lastOf: (row) => row },
      query,
    );

  test('has every row once, in one order, however long its pages are and however many rows share a moment', async () => {
    const rows = fc.sample(fc.integer({ min: 1_750_000_000_000, max: 1_750_000_000_009 }), 40);
    for (const [n, at] of rows.entries()) await write(at, `x${String(n).padStart(3, '0')}`);
    for (const ties of ['asc', 'desc'] as const) {
      const whole = (await page(ties, { limit: 200 })).items;
      const sign = ties === 'asc' ? 1 : -1;
      expect(whole).toEqual(whole.toSorted((a, b) => b.at - a.at || sign * (a.id < b.id ? -1 : 1)));
      expect(new Set(whole.map(({ id }) => id)).size).toBe(rows.length);
      for (const limit of [1, 7, 39, 40]) {
        const found = [];
        for (let after: string | null = ''; after !== null; ) {
          const { items, next } = await page(ties, { limit, after });
          found.push(...items);
          after = next;
        }
        expect(found).toEqual(whole);
      }
    }
  });

  test('goes on behind the last row, though newer ones were added and it was removed', async () => {
    for (let n = 0; n < 6; n += 1) await write(n, `x00${n}`);
    const first = await page('asc', { limit: 3 });
    expect(first.items.map(({ at }) => at)).toEqual([5, 4, 3]);
    await write(9, 'x009');
    await db.kysely.deleteFrom('audit_log').where('id', '=', 'x003').execute();
    const second = await page('asc', { limit: 3, after: first.next ?? '' });
    expect(second).toEqual({ items: [2, 1, 0].map((at) => ({ at, id: `x00${at}` })), next: null });
  });

  test.each(['x', 'MS54MDA', Buffer.from('1.y001').toString('base64url'), 'ü'.repeat(100)])(
    'refuses a cursor that is none of it: %s',
    async (after) => {
      await expect(page('asc', { limit: 3, after })).rejects.toThrow(ServiceError);
    },
  );
});
