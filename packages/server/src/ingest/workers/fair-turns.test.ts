import { expect, it } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** An event loop that turns on command. */
function bench() {
  let waiting: (() => void)[] = [];
  const turns = new FairTurns((run) => void waiting.push(run));
  const worked: Record<string, number> = {};
  const work = async (owner: string, steps: number): Promise<void> => {
    const own = turns.join(owner);
    for (let n = 0; n < steps; n += 1) {
      await own.next();
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

it('lets the oldest body of an organization end before all of them are late', async () => {
  const { work, turn } = bench();
  const ends: number[] = [];
  let turns = 0;
  for (let n = 0; n < 10; n += 1) void work('a', 30).then(() => ends.push(turns));
  while ((await turn()) > 0) turns += 1;
  expect(turns).toBe(300);
  // In turn, the first would end after 291.
  expect(ends[0]).toBeLessThanOrEqual(40);
  expect(ends.filter((end) => end <= 150).length).toBeGreaterThanOrEqual(3);
});

it('has a short body wait neither for the end of a long one nor of many', async () => {
  const { work, turn } = bench();
  for (let n = 0; n < 5; n += 1) void work('a', 1_000);
  for (let n = 0; n < 200; n += 1) await turn();
  let hasEnded = false;
  void work('a', 3).then(() => (hasEnded = true));
  for (let n = 0; n < 14; n += 1) await turn();
  expect(hasEnded).toBe(true);
});

it('ends when nothing waits', async () => {
  const { work, turn } = bench();
  const done = work('a', 3);
  while ((await turn()) > 0);
  await done;
  expect(await turn()).toBe(0);
});
