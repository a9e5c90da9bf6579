import { describe, expect, it } from 'vitest';
import { lastDays, periodOf, periodQuery, rangeLabel, readPeriod, stepped } from './period.ts';

const NOW = Date.parse('2026-11-21T23:59:59Z');

describe('the period', () => {
  it('is the last thirty days including today, in any time zone of the reader', () => {
    expect(periodOf({}, NOW)).toEqual({ from: '2026-10-23', to: '2026-11-21', days: 30 });
  });

  it('ends with today in the time zone of the property', () => {
    expect(periodOf({ days: 1 }, NOW, 'Asia/Kolkata').to).toBe('2026-11-22');
    expect(periodOf({ days: 7 }, Date.parse('2026-11-21T04:59:00Z'), 'America/New_York')).toEqual({
      ...{ from: '2026-11-14', to: '2026-11-20', days: 7 },
    });
    expect(stepped({ from: '2026-11-21', to: '2026-11-21', days: 1 }, 1, NOW, 'Asia/Kolkata')).toEqual(
      lastDays(1),
    );
  });

  it('is sent as names of days: the service knows when they begin in the zone of the property', () => {
    expect(periodQuery(periodOf({ from: '2026-02-01', to: '2026-02-28' }, NOW))).toEqual({
      from: '2026-02-01',
      to: '2026-02-28',
    });
  });

  it('is never longer than 400 days', () => {
    const { days, to } = periodOf({ from: '2020-01-01', to: '2026-01-01' }, NOW);
    expect([days, to]).toEqual([400, '2026-01-01']);
  });

  it('of an address is a preset, or a pair of real days in order', () => {
    expect(readPeriod({ days: '7' })).toEqual({ days: 7 });
    expect(readPeriod({ days: 8, from: '2026-02-02', to: '2026-02-01' })).toEqual({ days: undefined });
  });
});

describe('a step', () => {
  const step = (search: Parameters<typeof periodOf>[0], direction: -1 | 1) =>
    stepped(periodOf(search, NOW), direction, NOW);

  it('back is the same number of days, right before', () => {
    expect(step({}, -1)).toMatchObject({ from: '2026-09-23', to: '2026-10-22' });
    expect(step({ days: 1 }, -1)).toMatchObject({ from: '2026-11-20', to: '2026-11-20' });
  });

  it('forward undoes it, and ends at today with the original preset', () => {
    expect(step({ from: '2026-09-23', to: '2026-10-22' }, 1)).toEqual(lastDays(30));
    expect(step({ from: '2026-11-20', to: '2026-11-20' }, 1)).toEqual(lastDays(1));
    expect(step({ from: '2026-08-24', to: '2026-09-22' }, 1)).toMatchObject({
      from: '2026-09-23',
      to: '2026-10-22',
    });
  });

  it('never goes beyond today', () => {
    expect(step({}, 1)).toBeNull();
    expect(step({ from: '2026-11-01', to: '2026-11-20' }, 1)).toMatchObject({
      from: '2026-11-02',
      to: '2026-11-21',
    });
  });
});

it('is named by its days', () => {
  expect(rangeLabel({ from: '2026-11-21', to: '2026-11-21' })).toBe('21 Nov 2026');
  expect(rangeLabel({ from: '2025-12-31', to: '2026-01-01' })).toMatch(/^31 Dec 2025.–.1 Jan 2026$/);
});
