import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Database } from '../../database/index.ts';
import { silentLog } from '../../database/testing.ts';
import { createLateRows, type LateRows } from './late-rows.ts';

/** With a database that knows these deleted properties. */
function lateRowsOf(deleted: readonly string[]): LateRows {
  const query = {
    ...{ select: () => query, where: () => query, orderBy: () => query, limit: () => query },
    execute: async () => deleted.map((id) => ({ id })),
  };
  const reader = { selectFrom: () => query } as unknown as Database['reader'];
  return createLateRows({ database: { reader }, clock: () => 0, log: silentLog });
}

const ids = Array.from({ length: 6 }, () => randomUUID());
const deleted = new Set(ids.slice(0, 3));
const id = fc.constantFrom(...ids);

describe('late rows', () => {
  it('are the lines whose own member names a deleted property, whatever else a row holds', async () => {
    const row = fc.record(
      {
        asset: fc.boolean(),
        path: fc.oneof(
          fc.string({ unit: 'grapheme' }),
          id.map((each) => `/"attribution_id":"${each}"`),
        ),
        query_params: fc.dictionary(fc.constantFrom('attribution_id', 'utm_source'), id),
        attribution_id: id,
        params: fc.record({ attribution_id: id }).map((value) => JSON.stringify(value)),
      },
      { noNullPrototype: true, requiredKeys: ['attribution_id'] },
    );
    const lateRows = lateRowsOf([...deleted]);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), fc.boolean(), async (rows, ended) => {
        const text = rows.map((each) => JSON.stringify(each)).join('\n');
        const body = new TextEncoder().encode(ended ? `${text}\n` : text);
        const expected = rows.flatMap((each, line) => (deleted.has(each.attribution_id) ? [line] : []));
        expect(await lateRows({ body })).toEqual(expected);
      }),
    );
  });

  it('are found by as many searches of a batch after a thousand deletions as after one', async () => {
    const text = Array.from({ length: 50 }, () => JSON.stringify({ attribution_id: randomUUID() })).join(
      '\n',
    );
    const body = Buffer.from(text);
    const searchesAfter = async (count: number): Promise<number> => {
      const lateRows = lateRowsOf(Array.from({ length: count }, () => randomUUID()));
      const spies = (['includes', 'indexOf'] as const).map((name) => vi.spyOn(Buffer.prototype, name));
      try {
        expect(await lateRows({ body })).toEqual([]);
        return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      } finally {
        for (const spy of spies) spy.mockRestore();
      }
    };
    expect(await searchesAfter(1_000)).toBe(await searchesAfter(1));
  });
});
