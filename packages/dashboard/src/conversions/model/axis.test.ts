import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ceilingOf } from './axis.ts';

it.each([
  ['0', 1],
  ['1', 1],
  ['3', 3],
  ['4.01', 5],
  ['99.90', 100],
  ['1234', 1500],
  ['0.31', 0.4],
  ['x', 1],
])('the axis above a peak of %s ends at %s', (peak, ceiling) => {
  expect(ceilingOf(peak)).toBeCloseTo(ceiling, 10);
});

it('is never below the peak, and never more than double', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (cents) => {
      const ceiling = ceilingOf((cents / 100).toFixed(2));
      expect(ceiling).toBeGreaterThanOrEqual(cents / 100 - 1e-9);
      expect(ceiling).toBeLessThanOrEqual((cents / 100) * 2 + 1e-9);
    }),
  );
});
