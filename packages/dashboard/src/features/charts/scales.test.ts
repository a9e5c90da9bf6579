import fc from 'fast-check';
import { expect, it } from 'vitest';
import { layOut, roundStep } from './scales.ts';
import { barsOf } from './steps.ts';

const laid = (values: readonly number[]) =>
  layOut({
    bars: barsOf(
      values.map((hits, index) => ({
        day: `2026-11-${String(index + 1).padStart(2, '0')}`,
        partial: false,
        values: { hits },
      })),
    ),
    keys: ['hits'],
    width: 600,
    height: 200,
  });

it.each([
  [0.7, 0.5],
  [1, 1],
  [1.5, 2],
  [4, 5],
  [8, 10],
  [500, 500],
  [300, 200],
])('the round step for %s is %s', (step, round) => {
  expect(roundStep(step)).toBeCloseTo(round, 10);
});

it.each([
  [1_500, [0, 500, 1_000, 1_500]],
  [8, [0, 2, 4, 6, 8]],
  [0, [0, 1]],
  [1, [0, 1]],
])('the rules above a peak of %s', (peak, ticks) => {
  expect(laid([peak]).ticks).toEqual(ticks);
});

it('has rules below zero where a bar or the line goes there', () => {
  expect(laid([1_500, -400]).ticks).toEqual([-500, 0, 500, 1_000, 1_500]);
  const { ticks } = laid([-400]);
  expect([ticks[0], ticks.at(-1)]).toEqual([-400, 0]);
  const { y } = laid([1_500, -400]);
  expect([y(-500), y(1_500)]).toEqual([180, 6]);
});

it('has every bar inside of it, however many and however high', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1e6, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 28 }),
      (values) => {
        const { x, y, barWidth, left, width, ticks, indexAt } = laid(values);
        expect(ticks.length).toBeLessThanOrEqual(8);
        for (const [index, value] of values.entries()) {
          expect(x(index)).toBeGreaterThanOrEqual(left - 1e-6);
          expect(x(index) + barWidth).toBeLessThanOrEqual(width + 1e-6);
          expect(y(value)).toBeGreaterThanOrEqual(6 - 1e-6);
          expect(y(value)).toBeLessThanOrEqual(180 + 1e-6);
          expect(indexAt(x(index) + barWidth / 2)).toBe(index);
        }
      },
    ),
  );
});

it('draws nothing outside of the chart, whatever the figure', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (value) => {
      const { y } = laid([180, 160]);
      expect(y(value)).toBeGreaterThanOrEqual(6 - 1e-6);
      expect(y(value)).toBeLessThanOrEqual(180);
    }),
  );
});

it('limits the width of bars when there are few days', () => {
  expect(laid([1, 2]).barWidth).toBe(56);
});
