import { expect, it } from 'vitest';
import { sumsOf } from '../../../features/deliveries/sums.ts';
import { eligibleOf, finishedOf, reasonsOf, worstFirst } from './counts.ts';

const counts = (skipped: Record<string, number>) => ({
  created: 10,
  delivered: 4,
  accepted: 1,
  waiting: 1,
  dead: 1,
  unknown: 0,
  skipped,
});

it('adds up destinations, and reasons by frequency', () => {
  const all = [counts({ too_old: 1, consent_denied: 2 }), counts({ too_old: 3, turned_off: 0 })];
  expect(sumsOf(all)).toMatchObject({ created: 20, delivered: 8, skipped: 6 });
  expect(reasonsOf(all)).toEqual([
    ['too_old', 4],
    ['consent_denied', 2],
  ]);
});

it('begins with the most failed and unknown, however many wait, and then the largest', () => {
  const one = (name: string, own: Partial<ReturnType<typeof counts>>) => ({
    ...{ ...counts({}), destination: name, platform: 'meta' as const, name, deleted: false, rate: null },
    ...{ dead: 0, unknown: 0, ...own },
  });
  const all = [
    one('small', { created: 2 }),
    one('paused', { created: 30, waiting: 26 }),
    one('failed', { dead: 3 }),
    one('unknown', { unknown: 4 }),
  ];
  expect(worstFirst(all).map(({ name }) => name)).toEqual(['unknown', 'failed', 'paused', 'small']);
});

it('rates what is finished, and leaves out what waits or is processed', () => {
  expect(finishedOf(sumsOf([counts({})]))).toBe(5);
});

it('leaves what was skipped out of what is eligible', () => {
  expect(eligibleOf(sumsOf([counts({ too_old: 3 })]))).toBe(7);
});
