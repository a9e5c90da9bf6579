import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutAbove, cutOff, layOut, roundStep } from './scales.ts';
import { barsOf } from './steps.ts';

const laid = (values: readonly number[], line: readonly (number | null)[] = []) =>
  layOut({
    bars: barsOf(
      values.map((hits, index) => ({
        day: `2026-11-${String(index + 1).padStart(2, '0')}`,
        partial: false,
        values: { hits },
      })),
    ),
    keys: ['hits'],
    line,
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
  // Of steps of 50 a third would be empty.
  [101, [0, 40, 80, 120]],
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

it('reaches a threshold that no bar comes near', () => {
  const chart = {
    bars: barsOf([{ day: '2026-11-01', partial: false, values: { hits: 3 } }]),
    keys: ['hits'],
  };
  const { ticks, y } = layOut({ ...chart, reach: 400, width: 600, height: 200 });
  expect(ticks.at(-1)).toBeGreaterThanOrEqual(400);
  expect(y(400)).toBeGreaterThanOrEqual(6);
});

it('has every bar inside of it, however many and however high', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1e6, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 28 }),
      (values) => {
        const { x, y, barWidth, left, width, ticks, indexAt } = laid(values);
        expect(ticks.length).toBeLessThanOrEqual(5);
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

it('cuts a spike of the line off, and has room for its figure', () => {
  const bars = [900, 1_400, 900, 900, 900, 900, 900];
  const { top, y } = laid(bars, [900, 800, 2_400, 800, 900, 900, null]);
  expect([top, y(top), y(2_400)]).toEqual([1_500, 20, 20]);
});

it('follows a line that is higher in all, and one without bars', () => {
  expect(laid([100, 100, 100], [1_000, 900, 1_000]).top).toBe(1_000);
  const week = [1, 1, 1, 1, 1, 1, 1];
  expect(laid(week, [1_000, 900, 800, 900, 1_000, 900, 900]).top).toBe(1_000);
  expect(laid([0, 0, 0, 0, 0, 0, 0], [1, 1, 40, 1, 1, 1, 1]).top).toBe(40);
});

it('ends a line where it passes the top, and names the highest point of what is cut off', () => {
  const line = [10, 30, 50, 10, null, 40];
  expect(cutAbove(line, 20)).toEqual([
    { at: 0, value: 10 },
    { at: 0.5, value: 20 },
    null,
    null,
    { at: 2.75, value: 20 },
    { at: 3, value: 10 },
    null,
    null,
  ]);
  expect(cutOff(line, 20)).toEqual([
    { at: 2, value: 50 },
    { at: 5, value: 40 },
  ]);
  expect(cutOff(line, 50)).toEqual([]);
});
