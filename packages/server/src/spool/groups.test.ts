import { expect, it } from 'vitest';
import { GroupCommit } from './groups.ts';
import type { GroupMessage } from './port.ts';
import { entry, row } from './testing.ts';
import type { SpoolRow } from './types.ts';

const MIB = 1024 * 1024;

/** A store that remembers what it was handed, and says that the first row of each second entry is a duplicate. */
function commits() {
  const taken: GroupMessage[] = [];
  const groups = new GroupCommit(
    {
      append: async (group) => {
        taken.push(group);
        return group.endpoints.length < 2 ? [] : [{ chunk: 0, line: 1, label: 'ai_bot', entry: 1 }];
      },
    },
    () => 7,
    () => undefined,
  );
  const text = () => taken.map(({ rows }) => rows.chunks.map(({ body }) => Buffer.from(body).toString()));
  return { groups, taken, text };
}

it('what came in one turn shares a commit, in its order', async () => {
  const { groups, taken, text } = commits();
  const [first, second] = [row(1), row(2, { label: 'sample' })];
  const receipts = await Promise.all([groups.append(entry([first]), 10), groups.append(entry([second]), 10)]);
  expect(receipts).toEqual([
    { kept: 1, duplicate: 0 },
    { kept: 0, duplicate: 1 },
  ]);
  expect(text()).toEqual([[`${first.line}\n${second.line}\n`]]);
  expect(taken[0]?.counters).toEqual([
    ['received|edge_worker', 2],
    ['kept|edge_worker|ai_bot', 1],
    ['kept|edge_worker|sample', 1],
  ]);
  expect(groups.waiting).toBe(0);
});

it('a group ends before it has more than a mebibyte', async () => {
  const { groups, taken } = commits();
  const sizes = [2 * MIB, 10, MIB, 20];
  await Promise.all(sizes.map((size) => groups.append(entry([row(1)]), size)));
  expect(taken.map(({ endpoints }) => endpoints.length)).toEqual([1, 1, 1, 1]);
  expect(groups.waiting).toBe(0);
});

it('what fails to be packed is refused with its group, of which nothing is stored, and the next one is stored', async () => {
  const { groups, text } = commits();
  const broken = { ...row(3), line: undefined } as unknown as SpoolRow;
  const results = await Promise.allSettled([
    groups.append(entry([row(1)]), 10),
    groups.append(entry([row(2), broken]), 20),
    groups.append(entry([row(4)]), 10),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(text()).toEqual([[`${row(4).line}\n`]]);
  expect(groups.waiting).toBe(0);
});

it('packs lines of any length and any character', async () => {
  const { groups, text } = commits();
  const lines = ['ü💡', 'x'.repeat(20_000), '€'.repeat(300_000), 'é'.repeat(400_000)].map((word) =>
    JSON.stringify({ word }),
  );
  const rows = lines.map((line) => row(1, { line }));
  await groups.append(entry(rows), 1);
  expect(text()[0]?.join('')).toBe(`${lines.join('\n')}\n`);
});
