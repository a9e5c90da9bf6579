import { expect, it } from 'vitest';
import { createSecretCipher, type EncryptedRow, rotateRows } from './index.ts';

const OLD = createSecretCipher('o'.repeat(32));
const NEW = createSecretCipher('n'.repeat(32));
const BOTH = createSecretCipher('n'.repeat(32), 'o'.repeat(32));
const LOST = createSecretCipher('l'.repeat(32));

function store(values: ReadonlyMap<string, string | null>) {
  const rows = new Map(values);
  const rotateSecrets = () =>
    rotateRows<EncryptedRow>(BOTH, {
      page: async (after, limit) =>
        [...rows]
          .filter(([id]) => id > after)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, limit)
          .map(([id, sealed]) => ({ id, sealed })),
      purposeOf: ({ id }) => `test:${id}`,
      store: async ({ id }, sealed) => void rows.set(id, sealed),
    });
  return { rows, rotateSecrets };
}

it('re-encrypts what is encrypted with the old key, leaves the rest, and fails on nothing', async () => {
  const current = NEW.encrypt('new', 'test:b');
  const lost = LOST.encrypt('lost', 'test:c');
  const elsewhere = OLD.encrypt('moved here from another place', 'test:z');
  const { rows, rotateSecrets } = store(
    new Map([
      ['a', OLD.encrypt('first', 'test:a')],
      ['b', current],
      ['c', lost],
      ['d', null],
      ['e', elsewhere],
      ['f', OLD.encrypt('last', 'test:f')],
    ]),
  );
  expect(await rotateSecrets()).toBe(2);
  expect(NEW.decrypt(rows.get('a') ?? '', 'test:a')).toBe('first');
  expect(NEW.decrypt(rows.get('f') ?? '', 'test:f')).toBe('last');
  expect([rows.get('b'), rows.get('c'), rows.get('d'), rows.get('e')]).toEqual([
    ...[current, lost, null, elsewhere],
  ]);
  expect(await rotateSecrets()).toBe(0);
});

it('comes to the end of more rows than it reads at a time', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `row-${String(index).padStart(4, '0')}`);
  const { rows, rotateSecrets } = store(new Map(ids.map((id) => [id, OLD.encrypt(id, `test:${id}`)])));
  expect(await rotateSecrets()).toBe(1_000);
  expect(ids.every((id) => NEW.decrypt(rows.get(id) ?? '', `test:${id}`) === id)).toBe(true);
});
