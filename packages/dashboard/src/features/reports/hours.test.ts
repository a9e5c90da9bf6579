import { HOUR_MS } from '@ghostlight/core/time';
import { describe, expect, it } from 'vitest';
import { comparedUntil, hourBars, hourBefore, hourChange, hoursNow, hoursThan } from './hours.ts';

type Hours = Parameters<typeof hourChange>[0];

const INTENTS = { training: 0, search: 0, on_demand: 0, other: 0 };
const spansOf = (day: string, hits: readonly number[]) =>
  hits.map((count, hour) => {
    const at = Date.parse(day) + hour * HOUR_MS;
    const [from, until] = [at, at + HOUR_MS].map((time) => new Date(time).toISOString());
    return { at: from ?? '', until: until ?? '', hits: count, ...INTENTS, training: count };
  });

/** A day of which the last hour is not over, compared with a whole one. */
const running = (now: readonly number[], before: readonly number[] | null): Hours =>
  ({
    series: spansOf('2026-11-23', now).map((span, index) => ({
      ...span,
      ...{ partial: index === now.length - 1, verified: 0, spoofed: 0, unknown: 0, estimated: 0 },
      estimates: {},
    })),
    previous_series: before && spansOf('2026-11-22', before),
    compared: before && { from: '2026-11-22', to: '2026-11-22' },
  }) as unknown as Hours;

describe('the change of a running day', () => {
  it('is that of its hours that are over, against the same hours of the other day', () => {
    const hours = running([30, 30, 5], [20, 20, 90, 90]);
    expect(hourChange(hours, 'hits', 'UTC')).toEqual({
      change: 0.5,
      pair: '60 vs 40',
      note: '60 by\u00a002:00 vs\u00a040 yesterday',
      brief: '60 by\u00a002:00 vs\u00a040',
    });
    const earlier = { ...hours, compared: { from: '2026-11-16', to: '2026-11-16' } } as Hours;
    expect(hourChange(earlier, 'hits', 'UTC')?.note).toBe('60 by\u00a002:00 vs\u00a040 on\u00a016 Nov');
    expect(hourChange(hours, 'training', 'UTC')?.change).toBe(0.5);
  });

  it('is not known without those hours, and says nothing of few visits', () => {
    expect(hourChange(running([30, 5], null), 'hits', 'UTC')).toBeNull();
    expect(hourChange(running([30, 5], [19, 90]), 'hits', 'UTC')).toBeNull();
    expect(hourChange(running([5], [90]), 'hits', 'UTC')).toBeNull();
    expect(hourChange(running([30, 5], [90, 90]), 'search', 'UTC')).toBeNull();
  });

  it('is none of a day that is over', () => {
    const hours = running([30, 30], [20, 20]);
    const over = { ...hours, series: hours.series?.map((hour) => ({ ...hour, partial: false })) ?? null };
    expect(hourChange(over, 'hits', 'UTC')).toBeNull();
  });

  it('is not made before an hour is over, nor of the visits that other filters counted', () => {
    expect(hoursThan(running([30, 5], [90, 90]), 'UTC')).toBe('22 Nov 2026 by 01:00');
    expect(hoursThan(running([5], [90]), 'UTC')).toBeNull();
    const data = running([30, 5], [90, 90]);
    expect(hoursNow({ data, isPlaceholderData: false })).toBe(data);
    expect(hoursNow({ data, isPlaceholderData: true })).toBeUndefined();
  });

  it('is drawn beside all hours of the other day, of which those to come are not added up', () => {
    const hours = hourBefore(running([30, 5], [20, 20, 20]), 'UTC');
    expect(hours.map(({ values, isBeyond }) => [values['total'], isBeyond])).toEqual([
      [20, false],
      [20, true],
      [20, true],
    ]);
  });

  it('is beside bars up to the end of the other day, of which those to come have no figure', () => {
    const hours = running([30, 5], [20, 20, 20]);
    expect(hourBars(hours, ['training'], 'UTC').map(({ isAhead }) => isAhead)).toEqual([false, false, true]);
    expect(comparedUntil(hours, 'UTC')).toBe('01:00');
    expect(comparedUntil(running([30, 30, 5], [20, 20]), 'UTC')).toBeUndefined();
  });
});
