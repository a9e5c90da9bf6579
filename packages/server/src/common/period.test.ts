import { HOUR_MS } from '@ghostlight/core/time';
import { describe, expect, it } from 'vitest';
import { periodOf, periodSchema } from './period.ts';
import { daysIn } from './time-zone.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const asked = (query: { from?: string; to?: string }, timeZone = 'UTC') => {
  const { from, to } = periodSchema.parse(query);
  const period = periodOf(from, to, NOW, daysIn(timeZone));
  return [new Date(period.from).toISOString(), new Date(period.to).toISOString()];
};

describe('a period', () => {
  it('of moments is taken as it is, whatever the zone', () => {
    const moments = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-03T00:00:00.000Z' };
    expect(asked(moments, 'Asia/Kolkata')).toEqual(Object.values(moments));
  });

  it('of days holds both of them, from their first moment in the property’s zone to their last', () => {
    const days = { from: '2026-11-01', to: '2026-11-02' };
    expect(asked(days)).toEqual(['2026-11-01T00:00:00.000Z', '2026-11-03T00:00:00.000Z']);
    // The clocks went back on 1 November.
    expect(asked(days, 'America/New_York')).toEqual(['2026-11-01T04:00:00.000Z', '2026-11-03T05:00:00.000Z']);
  });

  it('of one day is that day, also where it has 25 hours', () => {
    const [from = '', to = ''] = asked({ from: '2026-10-25', to: '2026-10-25' }, 'Europe/Berlin');
    expect((Date.parse(to) - Date.parse(from)) / HOUR_MS).toBe(25);
  });

  it('of 400 days may hold a day of 25 hours', () => {
    // Two such days and one of 23 hours.
    expect(asked({ from: '2025-10-20', to: '2026-11-23' }, 'America/New_York')).toHaveLength(2);
  });

  it.each([
    { from: '2026-11-02', to: '2026-11-01' },
    { from: '2025-10-01', to: '2026-11-21' },
  ])('that ends before it begins or is too long is refused with a sentence: %o', (query) => {
    expect(() => asked(query)).toThrow(/must end after it begins, and may have at most 400 days/);
  });

  it.each(['yesterday', '2026-02-30', '2026-11-21 10:00', ''])('is not made of %o', (from) => {
    expect(periodSchema.safeParse({ from }).success).toBe(false);
  });
});
