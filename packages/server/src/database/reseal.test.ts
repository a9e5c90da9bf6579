import { expect, it } from 'vitest';
import { createSealer, resealRows, type SealedRow } from './index.ts';

const OLD = createSealer('o'.repeat(32));
const NEW = createSealer('n'.repeat(32));
const BOTH = createSealer('n'.repeat(32), 'o'.repeat(32));
const LOST = createSealer('l'.repeat(32));

function store(values: ReadonlyMap<string, string | null>) {
  const rows = new Map(values);
  const reseal = () =>
    resealRows<SealedRow>(BOTH, {
      page: async (after, limit) =>
        [...rows]
          .filter(([id]) => id > after)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, limit)
          .map(([id, sealed]) => ({ id, sealed })),
      purposeOf: ({ id }) => `test:${id}`,
      store: async ({ id }, sealed) => void rows.set(id, sealed),
    });
  return { rows, reseal };
}

it('seals anew what stands under the old key, leaves the rest, and stumbles over nothing', async () => {
  const current = NEW.seal('new', 'test:b');
  const lost = LOST.seal('lost', 'test:c');
  const elsewhere = OLD.seal('moved here from another place', 'test:z');
  const { rows, reseal } = store(
    new Map([
      ['a', OLD.seal('first', 'test:a')],
      ['b', current],
      ['c', lost],
      ['d', null],
      ['e', elsewhere],
      ['f', OLD.seal('last', 'test:f')],
    ]),
  );
  expect(await reseal()).toBe(2);
  expect(NEW.open(rows.get('a') ?? '', 'test:a')).toBe('first');
  expect(NEW.open(rows.get('f') ?? '', 'test:f')).toBe('last');
  expect([rows.get('b'), rows.get('c'), rows.get('d'), rows.get('e')]).toEqual([
    ...[current, lost, null, elsewhere],
  ]);
  expect(await reseal()).toBe(0);
});

it('comes to the end of more rows than it reads at a time', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `row-${String(index).padStart(4, '0')}`);
  const { rows, reseal } = store(new Map(ids.map((id) => [id, OLD.seal(id, `test:${id}`)])));
  expect(await reseal()).toBe(1_000);
  expect(ids.every((id) => NEW.open(rows.get(id) ?? '', `test:${id}`) === id)).toBe(true);
});
