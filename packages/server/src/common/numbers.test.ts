import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rate, rates, rounded, share, sum } from './numbers.ts';

it('writes a figure without the noise of floating point', () => {
  expect(rounded(0.1 + 0.2)).toBe(0.3);
  expect(share(17 / 67)).toBe(0.2537313);
  expect(rate(0.1 + 0.2)).toBe(0.3);
  expect(rate(1 / 0.03)).toBe(33.3333333);
  expect(rate(0)).toBe(0);
});

it('names a rate once that two senders wrote with another last digit', () => {
  expect(rates([0.5, 0.1 + 0.2, 0.3, 0.02])).toEqual([0.02, 0.3, 0.5]);
});

it('keeps what a rate says: a million rows of its weight add up to a visit', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1, noNaN: true }), (value) => {
      expect(Math.abs(rate(1 / value) / (1 / value) - 1)).toBeLessThan(1e-8);
      expect(rate(value).toExponential().replace(/e.*/, '').length).toBeLessThanOrEqual(10);
    }),
  );
});

it('adds up numbers, or one number of each row; of nothing it is 0', () => {
  expect(sum([1, 2, 3])).toBe(6);
  expect(sum(new Map([['a', 4]]).values())).toBe(4);
  expect(sum([{ hits: 1 }, { hits: 2 }], ({ hits }) => hits)).toBe(3);
  expect(sum([])).toBe(0);
});
