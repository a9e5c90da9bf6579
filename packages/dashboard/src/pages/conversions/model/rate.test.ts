import { expect, it } from 'vitest';
import { matchRate } from './rate.ts';

it.each([
  ['1', '2', 50],
  ['1', '1000', 1],
  ['999', '1000', 99],
  ['5', '5', 100],
  ['0', '5', 0],
  ['0', '0', null],
  ['x', '5', null],
])('%s of %s is %s %', (matched, all, rate) => {
  expect(matchRate(matched, all)).toBe(rate);
});
