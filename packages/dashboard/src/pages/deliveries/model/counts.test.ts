import { expect, it } from 'vitest';
import { sumsOf } from '../../../features/deliveries/sums.ts';
import { eligibleOf, finishedOf, listedOf, lowestFirst, reasonsOf, shownOf } from './counts.ts';

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

it('begins with the lowest rate, then the largest; without a rate a destination is last', () => {
  const one = (name: string, own: Partial<ReturnType<typeof counts>> & { rate: string | null }) => ({
    ...{ ...counts({}), destination: name, platform: 'meta' as const, name, deleted: false },
    ...{ dead: 0, unknown: 0, ...own },
  });
  const all = [
    one('small', { created: 2, rate: '1' }),
    one('paused', { created: 30, waiting: 26, rate: null }),
    one('failed', { dead: 3, rate: '0.571428' }),
    one('unknown', { unknown: 4, rate: '0.5' }),
    one('large', { created: 900, rate: '1' }),
  ];
  expect(lowestFirst(all).map(({ name }) => name)).toEqual(['unknown', 'failed', 'large', 'small', 'paused']);
});

it('rates what is finished, and leaves out what waits or is processed', () => {
  expect(finishedOf(sumsOf([counts({})]))).toBe(5);
});

it('leaves what was skipped out of what is eligible', () => {
  expect(eligibleOf(sumsOf([counts({ too_old: 3 })]))).toBe(7);
});

it('says of how many a page of the list is, where the report counts what the filters select', () => {
  const sums = sumsOf([counts({ too_old: 3 })]);
  expect(listedOf(sums, {})).toBe(10);
  expect(listedOf(sums, { status: 'skipped' })).toBe(3);
  expect(listedOf(sums, { status: 'accepted_async' })).toBe(1);
  // Part of what waits.
  expect(listedOf(sums, { status: 'retry' })).toBeNull();
  expect(listedOf(sums, { q: 'ord_1' })).toBeNull();
  const more = { hasNextPage: true };
  expect(shownOf(50, more, 715)).toBe('Latest 50 of 715');
  expect(shownOf(50, more, null)).toBe('Latest 50');
  expect(shownOf(50, more, 49)).toBe('Latest 50');
  expect(shownOf(1, { hasNextPage: false }, 1)).toBe('1 delivery');
});
