import { DAY_MS } from '@ghostlight/core/time';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barsOf, labelled, type Point, signed } from './steps.ts';

const pointsOf = (values: readonly number[]): Point[] =>
  values.map((hits, index) => ({
    day: new Date(Date.UTC(2026, 0, 1) + index * DAY_MS).toISOString().slice(0, 10),
    partial: index === values.length - 1,
    values: { hits },
  }));

describe('the bars of a chart', () => {
  test('up to a hundred days are one bar each, more are weeks, and no day is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 400 }), (values) => {
        const bars = barsOf(pointsOf(values));
        expect(bars).toHaveLength(values.length <= 100 ? values.length : Math.ceil(values.length / 7));
        const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
        expect(sum(bars.map((bar) => bar.values['hits'] ?? 0))).toBe(sum(values));
        expect(bars.at(-1)?.partial).toBe(true);
      }),
    );
  });

  test('show the year when the chart spans several', () => {
    const ending = (last: string, count: number): Point[] =>
      Array.from({ length: count }, (_, index) => ({
        day: new Date(Date.parse(last) - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
        partial: false,
        values: {},
      }));
    expect(barsOf(ending('2026-11-21', 365))[0]?.label).toBe('Week of 22 Nov 2025');
    expect(barsOf(ending('2026-01-02', 3)).map(({ label }) => label)).toEqual([
      '31 Dec 2025',
      '1 Jan 2026',
      '2 Jan 2026',
    ]);
    expect(barsOf(ending('2026-11-21', 1))[0]?.label).toBe('21 Nov');
  });

  test('a week is estimated as far as its days are', () => {
    const days = Array.from({ length: 105 }, (_, index) => ({
      day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
      partial: false,
      values: { training: 10, search: 1 },
      ...(index === 3 ? { estimated: { training: 4 } } : {}),
    }));
    const [first, second] = barsOf(days);
    expect(first).toMatchObject({ values: { training: 70, search: 7 }, estimated: { training: 4 } });
    expect(second?.estimated).toEqual({});
    expect([signed('70', first?.estimated?.['training']), signed('7', first?.estimated?.['search'])]).toEqual(
      ['≈\u00a070', '7'],
    );
  });

  test('dates below do not overlap, and the last bar has one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 2_000 }), (count, room) => {
        const picked = labelled(count, room);
        expect(picked.has(count - 1)).toBe(true);
        expect(picked.size).toBeLessThanOrEqual(Math.max(2, Math.floor(room / 84)));
      }),
    );
  });
});
