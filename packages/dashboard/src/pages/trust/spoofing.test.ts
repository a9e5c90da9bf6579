import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { burstOf, claimOf } from './spoofing.ts';

const FIRST = Date.UTC(2026, 10, 1);
const dayAt = (place: number) => new Date(FIRST + place * 86_400_000).toISOString().slice(0, 10);
const days = (...counts: number[]) => counts.map((spoofed, place) => ({ day: dayAt(place), spoofed }));
const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

it('names the bot that at least half of the spoofed visits claimed to be, with all its rows', () => {
  const items = [
    { bot: 'GPTBot', spoofed: 30 },
    { bot: 'ClaudeBot', spoofed: 40 },
    { bot: 'GPTBot', spoofed: 30 },
  ];
  expect(claimOf(items, 100)).toEqual({ bot: 'GPTBot', share: 0.6 });
  expect(claimOf(items, 130)).toBeNull();
  expect(claimOf([{ bot: 'GPTBot', spoofed: 19 }], 19)).toBeNull();
});

describe('the burst', () => {
  it('is the fewest days in a row with at least half, and the days beside them that are as high', () => {
    expect(burstOf(days(1, 1, 10, 20, 10, 1, 1, 1, 1))).toEqual({
      from: '2026-11-03',
      to: '2026-11-05',
      share: 40 / 46,
    });
    // Three of the four days have more than half; the fourth is as high, and belongs to them.
    const four = [20, 20, 515, 505, 500, 455, 20, ...Array.from({ length: 20 }, () => 20)];
    expect(burstOf(days(...four))).toMatchObject({ from: '2026-11-03', to: '2026-11-06' });
    expect(burstOf(days(...four.toReversed()))).toMatchObject({ from: '2026-11-22', to: '2026-11-25' });
  });

  it('is none where they are spread, few, or most of the period', () => {
    expect(burstOf(days(10, 10, 10, 10, 10, 10, 10, 10, 10))).toBeNull();
    expect(burstOf(days(0, 0, 19, 0, 0, 0))).toBeNull();
    expect(burstOf(days(0, 50))).toBeNull();
    // Two days have half, but the others are as high.
    expect(burstOf(days(9, 30, 30, 16, 16, 9, 9))).toBeNull();
  });

  const counts = fc.array(fc.oneof(fc.nat(30), fc.nat(900)), { maxLength: 60 });

  it('has at least half of them, in at most a third of the days and a week; the days beside it are lower', () => {
    fc.assert(
      fc.property(counts, (of) => {
        const burst = burstOf(days(...of));
        if (burst === null) return;
        const [first, last] = [burst.from, burst.to].map((day) => (Date.parse(day) - FIRST) / 86_400_000);
        if (first === undefined || last === undefined) throw new Error('A burst has days.');
        const inside = of.slice(first, last + 1);
        expect(burst.share).toBeCloseTo(total(inside) / total(of));
        expect(burst.share).toBeGreaterThanOrEqual(0.5);
        expect(inside.length).toBeLessThanOrEqual(Math.min(7, of.length / 3));
        // Whatever is beside it is lower than half of its highest day.
        for (const beside of [of[first - 1], of[last + 1]])
          if (beside !== undefined) expect(beside).toBeLessThan(Math.max(...inside) / 2);
      }),
    );
  });

  it('is of the same days however many times as many visits came', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 2, max: 50 }), (of, times) => {
        const burst = burstOf(days(...of));
        if (burst === null) return;
        const more = burstOf(days(...of.map((count) => count * times)));
        expect(more).toMatchObject({ from: burst.from, to: burst.to });
      }),
    );
  });
});
