import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** A clock that only work moves, and an event loop that turns on command. */
function bench(sliceMs = 2) {
  let now = 0;
  let waiting: (() => void)[] = [];
  const rests: number[] = [];
  const turns = new Turns({
    sliceMs,
    restFactor: 3,
    now: () => now,
    nextTurn: (run) => void waiting.push(run),
    later: (run, ms) => {
      rests.push(ms);
      waiting.push(() => {
        now += ms;
        run();
      });
    },
  });
  return {
    turns,
    /** How long it rested, each time. */
    rests,
    pass: (ms: number) => {
      now += ms;
    },
    /** One millisecond for each unit. */
    step: (units: number, done: () => void = () => undefined) => {
      let left = units;
      return (isDue: () => boolean): boolean => {
        while (left > 0) {
          left -= 1;
          now += 1;
          done();
          if (isDue() && left > 0) return false;
        }
        return true;
      };
    },
    async turn(): Promise<boolean> {
      const due = waiting;
      waiting = [];
      for (const run of due) run();
      await Promise.resolve();
      return due.length > 0;
    },
    async untilIdle(): Promise<number> {
      let count = 0;
      while (await this.turn()) count += 1;
      return count;
    },
  };
}

const never = new AbortController().signal;

it('lets the event loop turn after every slice', async () => {
  const { turns, step, untilIdle, turn } = bench();
  let worked = 0;
  let isDone = false;
  const run = turns
    .begin('a', never, 1e9)
    .run(
      step(100, () => {
        worked += 1;
      }),
    )
    .then(() => {
      isDone = true;
    });
  expect(worked).toBe(2);
  expect(await untilIdle.call({ turn })).toBeGreaterThanOrEqual(49);
  await run;
  expect([worked, isDone]).toEqual([100, true]);
});

it('does no more than one slice in a turn for all uploads together', async () => {
  const { turns, step, turn } = bench();
  let worked = 0;
  for (let i = 0; i < 10; i++)
    void turns.begin(`o${i}`, never, 1e9).run(
      step(50, () => {
        worked += 1;
      }),
    );
  expect(worked).toBe(2);
  await turn();
  expect(worked).toBe(4);
});

it('gives every organization the same, however many uploads each has', async () => {
  const { turns, step, turn } = bench(1);
  const worked = { many: 0, one: 0 };
  for (let i = 0; i < 9; i++)
    void turns.begin('many', never, 1e9).run(
      step(50, () => {
        worked.many += 1;
      }),
    );
  void turns.begin('one', never, 1e9).run(
    step(50, () => {
      worked.one += 1;
    }),
  );
  for (let i = 0; i < 40; i++) await turn();
  expect(Math.abs(worked.many - worked.one)).toBeLessThanOrEqual(1);
});

it('does nothing more for a sender that left', async () => {
  const { turns, step, turn } = bench();
  const leaving = new AbortController();
  let worked = 0;
  const run = turns.begin('a', leaving.signal, 1e9).run(
    step(1_000, () => {
      worked += 1;
    }),
  );
  await turn();
  leaving.abort(new Error('left'));
  await turn();
  await expect(run).rejects.toThrow('left');
  const before = worked;
  await turn();
  expect([worked, before]).toEqual([4, 4]);
});

it('ends an upload that takes more processor time than it may, over all its chunks', async () => {
  const { turns, step, turn, untilIdle } = bench();
  const work = turns.begin('a', never, 10);
  const first = work.run(step(8));
  await untilIdle.call({ turn });
  await first;
  const second = work.run(step(8));
  second.catch(() => undefined);
  await untilIdle.call({ turn });
  await expect(second).rejects.toThrow('Reading this upload takes too long');
});

it('hands on what work throws and goes on with the others', async () => {
  const { turns, step, turn, untilIdle } = bench();
  const failing = turns.begin('a', never, 1e9).run(() => {
    throw new Error('damaged');
  });
  await expect(failing).rejects.toThrow('damaged');
  const other = turns.begin('b', never, 1e9).run(step(5));
  await untilIdle.call({ turn });
  await other;
});

it('rests three times as long as it worked while other requests are under way, and not for longer', async () => {
  const { turns, step, turn, rests, pass } = bench();
  void turns.begin('a', never, 1e9).run(step(200));
  await turn();
  expect(rests).toEqual([]);
  turns.makeWay();
  await turn();
  expect(rests).toEqual([6]);
  await turn();
  await turn();
  expect(rests).toEqual([6, 6]);
  pass(20);
  await turn();
  await turn();
  expect(rests).toEqual([6, 6]);
});

it('works on while other requests come all the time', async () => {
  const { turns, step, turn } = bench();
  let isDone = false;
  const run = turns
    .begin('a', never, 1e9)
    .run(step(100))
    .then(() => {
      isDone = true;
    });
  for (let i = 0; i < 110 && !isDone; i++) {
    turns.makeWay();
    await turn();
  }
  await run;
  expect(isDone).toBe(true);
});
