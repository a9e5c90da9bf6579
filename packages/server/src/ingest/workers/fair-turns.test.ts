import { expect, it } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** An event loop that turns on command. */
function bench() {
  let waiting: (() => void)[] = [];
  const turns = new FairTurns((run) => void waiting.push(run));
  const worked: Record<string, number> = {};
  const work = async (owner: string, steps: number): Promise<void> => {
    for (let n = 0; n < steps; n += 1) {
      await turns.next(owner);
      worked[owner] = (worked[owner] ?? 0) + 1;
    }
  };
  const turn = async (): Promise<number> => {
    const due = waiting.splice(0);
    waiting = [];
    for (const run of due) run();
    await new Promise((resolve) => setImmediate(resolve));
    return due.length;
  };
  return { work, worked, turn };
}

it('gives one turn between two looks at what has come, for all uploads together', async () => {
  const { work, worked, turn } = bench();
  for (const owner of ['a', 'b', 'c']) void work(owner, 10);
  for (let n = 1; n <= 6; n += 1) {
    expect(await turn()).toBe(1);
    expect(Object.values(worked).reduce((sum, steps) => sum + steps)).toBe(n);
  }
});

it('gives an organization with one upload as much as one with nine', async () => {
  const { work, worked, turn } = bench();
  for (let n = 0; n < 9; n += 1) void work('many', 100);
  await turn();
  void work('one', 100);
  for (let n = 0; n < 100; n += 1) await turn();
  expect(Math.abs((worked['many'] ?? 0) - (worked['one'] ?? 0))).toBeLessThanOrEqual(2);
});

it('ends when nothing waits', async () => {
  const { work, turn } = bench();
  const done = work('a', 3);
  while ((await turn()) > 0);
  await done;
  expect(await turn()).toBe(0);
});
