import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMinorUnits, toNumber } from './money.ts';

it.each([
  ['19.99', 'USD', 1999],
  ['1.005', 'USD', 101],
  ['1.004', 'USD', 100],
  ['0', 'EUR', 0],
  ['8.1', 'EUR', 810],
  ['4.35', 'EUR', 435],
  ['1500', 'JPY', 1500],
  ['1500.5', 'JPY', 1501],
  ['1.2345', 'KWD', 1235],
  ['100', 'IQD', 100_000],
  ['100', 'HUF', 10_000],
  ['90071992547409.91', 'USD', 9_007_199_254_740_991],
  ['90071992547409.92', 'USD', null],
  ['1', 'XXX', null],
  ['-1', 'USD', null],
  ['1e3', 'USD', null],
])('%s %s is %s minor units', (amount, currency, units) => {
  expect(toMinorUnits(amount, currency)).toBe(units);
});

it('is exact for every amount of whole cents, where a float times a hundred is not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (cents) => {
      const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      expect(toMinorUnits(amount, 'EUR')).toBe(cents);
    }),
  );
  expect(Math.trunc(4.35 * 100)).not.toBe(435);
});

it('gives the number that is nearest to a decimal', () => {
  expect([toNumber('99.9'), toNumber('0'), toNumber('9007199254740991')]).toEqual([
    99.9,
    0,
    Number.MAX_SAFE_INTEGER,
  ]);
  expect([toNumber(null), toNumber('9007199254740992'), toNumber('12345678901234567890.5')]).toEqual([
    null,
    null,
    null,
  ]);
});
