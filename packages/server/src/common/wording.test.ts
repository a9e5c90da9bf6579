import { expect, it } from 'vitest';
import { counted, outOf, percent } from './wording.ts';

const VISITS = ['visit', 'visits'] as const;

it.each([
  [1, 1, 'The only visit'],
  [2, 2, 'Both visits'],
  [12, 12, 'All 12 visits'],
  [1, 12, '1 of 12 visits'],
  [1_240, 2_000, '1,240 of 2,000 visits'],
  // Estimates: what is not told apart when it is written is the same.
  [11.6, 12.2, 'All 12 visits'],
])('%d of %d are called "%s"', (part, whole, words) => {
  expect(outOf(part, whole, VISITS)).toBe(words);
});

it('has a singular for what is written as one', () => {
  expect([0, 1, 1.4, 2].map((value) => counted(value, VISITS))).toEqual([
    ...['0 visits', '1 visit', '1 visit', '2 visits'],
  ]);
});

it('rounds no share to nothing or to everything that is neither', () => {
  expect([0, 0.001, 0.25, 0.999, 1].map(percent)).toEqual([
    ...['0%', 'less than 1%', '25%', 'more than 99%', '100%'],
  ]);
});
