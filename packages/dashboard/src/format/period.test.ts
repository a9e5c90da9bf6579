import { describe, expect, it } from 'vitest';
import { periodOf, periodQuery, readPeriod } from './period.ts';

const NOW = Date.parse('2026-11-21T23:59:59Z');

describe('the period', () => {
  it('is the last thirty UTC days with today, whatever the zone', () => {
    expect(periodOf({}, NOW)).toEqual({ from: '2026-10-23', to: '2026-11-21', days: 30 });
  });

  it('is asked for up to the end of its last day', () => {
    expect(periodQuery(periodOf({ from: '2026-02-01', to: '2026-02-28' }, NOW))).toEqual({
      from: '2026-02-01T00:00:00.000Z',
      to: '2026-03-01T00:00:00.000Z',
    });
  });

  it('is never longer than 400 days', () => {
    const { days, to } = periodOf({ from: '2020-01-01', to: '2026-01-01' }, NOW);
    expect([days, to]).toEqual([400, '2026-01-01']);
  });

  it('of an address is one of those that are offered, or a pair of real days in order', () => {
    expect(readPeriod({ days: '7' })).toEqual({ days: 7 });
    expect(readPeriod({ days: 8, from: '2026-02-02', to: '2026-02-01' })).toEqual({ days: undefined });
  });
});
