import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { expect, it } from 'vitest';
import { hasHours, hourAt, hoursOf } from './hours.ts';

const from = Date.parse('2026-11-01T18:30:00Z');

it('are of a week at most, also of one with 169 hours', () => {
  expect(hasHours({ from, to: from + 7 * DAY_MS + HOUR_MS })).toBe(true);
  expect(hasHours({ from, to: from + 8 * DAY_MS })).toBe(false);
});

it('begin with the day of a zone that is half an hour beside UTC', () => {
  expect(new Date(hourAt(from + 90 * 60_000, from)).toISOString()).toBe('2026-11-01T19:30:00.000Z');
});

it('are those that have begun', () => {
  const period = { from, to: from + DAY_MS };
  expect(hoursOf(period, from + 61 * 60_000)).toEqual({
    from: '2026-11-01T18:30:00.000Z',
    until: '2026-11-01T20:30:00.000Z',
  });
  expect(hoursOf(period, from + 9 * DAY_MS).until).toBe('2026-11-02T18:30:00.000Z');
  expect(hoursOf(period, from - HOUR_MS).until).toBe('2026-11-01T18:30:00.000Z');
});
