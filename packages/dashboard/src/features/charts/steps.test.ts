import { DAY_MS } from '@ghostlight/core/time';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineOf } from './BeforeLine.tsx';
import { cutAbove } from './scales.ts';
import {
  type Add,
  barsOf,
  beforeBarsOf,
  beforeSum,
  heightOf,
  labelled,
  labelledHours,
  type Point,
  signed,
} from './steps.ts';

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
        expect(sum(bars.map((bar) => Number(bar.values['hits'] ?? 0)))).toBe(sum(values));
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

  test('times below are full parts of a day, from midnight on', () => {
    expect([...labelledHours(24, 1_000)]).toEqual([0, 3, 6, 9, 12, 15, 18, 21]);
    expect([...labelledHours(24, 300, 62)]).toEqual([0, 6, 12, 18]);
    expect([...labelledHours(168, 1_000, 126)]).toEqual([0, 24, 48, 72, 96, 120, 144]);
    expect([...labelledHours(3, 0)]).toEqual([0]);
  });
});

describe('the line of the days before', () => {
  const line = (...figures: (string | number | null)[]) =>
    lineOf(
      cutAbove(figures.map(heightOf), 1_000),
      (index) => index * 10,
      (value) => 100 - value,
    );

  test('goes below zero where more was refunded than sold', () => {
    expect(line(0, '97.77', '-49.2', 80)).toBe('M0.0,100.0L10.0,2.2L20.0,149.2L30.0,20.0');
    expect(line('-1', null)).toBe('M0.0,101.0m-6,0h12');
  });

  test('goes through zero, and ends where nothing is known', () => {
    expect(line(5, 0, 5, null)).toBe('M0.0,95.0L10.0,100.0L20.0,95.0');
  });
});

test('figures as text are added up by the caller’s own rule, in weeks and in sums', () => {
  const joined: Add = (figures) => figures.filter((figure) => figure !== 0).join('+');
  const days = Array.from({ length: 105 }, (_, index) => ({
    ...{ day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10), partial: false },
    values: index < 2 ? { a: '0.1', b: '0.2' } : {},
  }));
  expect(barsOf(days, joined)[0]?.values).toEqual({ a: '0.1+0.1', b: '0.2+0.2' });
  const [week] = beforeBarsOf(days, days, joined);
  expect(week && beforeSum(week, ['a', 'b'], true, joined)).toBe('0.1+0.1+0.2+0.2');
});
