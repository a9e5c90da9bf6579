/** Whether a change stands out: on simulated days of which the truth is known, and on the cases that misled people. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeOf, MIN_COMPARED, standsOut } from './change.ts';

/** Numbers from 0 to 1, the same at every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const poisson = (mean: number, next: () => number): number => {
  const limit = Math.exp(-mean);
  let [count, product] = [0, next()];
  while (product > limit) {
    count += 1;
    product *= next();
  }
  return count;
};
/** Each visit brings some more: φ is about 1 + 2·more. */
const clustered = (mean: number, more: number, next: () => number): number =>
  Array.from({ length: poisson(mean / (1 + more), next) }).reduce<number>(
    (sum) => sum + 1 + poisson(more, next),
    0,
  );

/** How many of many comparisons stand out. */
function rate(
  length: number,
  day: (half: 'now' | 'before', index: number, next: () => number) => number,
): number {
  const [next, rounds] = [chance(length * 7_919), 2_000];
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const half = (name: 'now' | 'before') => Array.from({ length }, (_, index) => day(name, index, next));
    if (standsOut({ now: half('now'), before: half('before') }) === true) found += 1;
  }
  return found / rounds;
}

describe('without any change', () => {
  it.each([7, 14, 28])('at most about one of twenty comparisons stands out, over %i days', (length) => {
    const alike = {
      even: rate(length, (_, __, next) => poisson(12, next)),
      bursts: rate(length, (_, __, next) => clustered(30, 9, next)),
      weekly: rate(length, (_, index, next) => poisson(index % 7 < 5 ? 30 : 8, next)),
      rare: rate(length, (_, __, next) => poisson(24 / length, next)),
    };
    for (const [kind, share] of Object.entries(alike)) expect(share, kind).toBeLessThan(0.065);
    // Nor is it silence: what holds its level by luck alone is found as often as was promised.
    expect(alike.even).toBeGreaterThan(0.025);
  });
});

describe('with a change', () => {
  it.each([7, 28])(
    'a doubling is found nearly always, even where visits come in bursts, over %i days',
    (length) => {
      expect(rate(length, (half, _, next) => poisson(half === 'now' ? 24 : 12, next))).toBeGreaterThan(0.99);
      if (length === 28)
        expect(rate(length, (half, _, next) => clustered(half === 'now' ? 60 : 30, 4, next))).toBeGreaterThan(
          0.95,
        );
    },
  );
});

it('one burst is no fall afterwards, and a bot that stops is one', () => {
  const quiet = [2, 1, 3, 2, 2, 1, 2];
  expect(standsOut({ now: quiet, before: [2, 1, 150, 2, 2, 1, 2] })).toBe(false);
  expect(standsOut({ now: [0, 0, 0, 0, 0, 0, 0], before: [30, 28, 35, 31, 30, 27, 33] })).toBe(true);
});

it('months of different lengths are set against each other by their days', () => {
  const even = (length: number, visits: number) => Array.from({ length }, (_, day) => visits + (day % 3));
  // Three more days make a tenth more visits, and no more a day.
  expect(changeOf({ now: even(31, 100), before: even(28, 100) })).toEqual({
    ...{ change: expect.closeTo(0.107, 2), change_stands_out: false },
  });
  expect(changeOf({ now: even(31, 130), before: even(28, 100) }).change_stands_out).toBe(true);
});

it('there is no percentage of next to nothing, and no word on single days', () => {
  expect(changeOf({ now: [11], before: [4] })).toEqual({ change: null, change_stands_out: null });
  expect(changeOf({ now: [40], before: [MIN_COMPARED] })).toEqual({ change: 1, change_stands_out: null });
  expect(changeOf({ now: [0, 1], before: [1_000, 673] }).change).toBe(-0.9994023);
});

it('an amount has a percentage when enough orders add up to it, not when it is large', () => {
  expect(changeOf({ now: [900], before: [600] }, MIN_COMPARED - 1).change).toBeNull();
  expect(changeOf({ now: [9], before: [6] }, MIN_COMPARED).change).toBe(0.5);
  // More was refunded than sold: there is no part of such a figure.
  expect(changeOf({ now: [9], before: [-6] }, MIN_COMPARED).change).toBeNull();
});

it('never throws, and says the same of more and of less', () => {
  const days = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(days, days, (now, before) => {
      const length = Math.min(now.length, before.length);
      const halves = { now: now.slice(0, length), before: before.slice(0, length) };
      expect(standsOut(halves)).toBe(standsOut({ now: halves.before, before: halves.now }));
    }),
  );
});
