import { describe, expect, it } from 'vitest';
import { comparisonOf } from './comparison.ts';

const TODAY = '2026-11-21';
const PERIOD = {
  from: '2026-10-23',
  to: '2026-11-21',
  days: 30,
  previous: { from: '2026-09-23', to: '2026-10-22' },
};

describe('a comparison', () => {
  it('is made where the days before are whole', () => {
    expect(comparisonOf({ period: PERIOD, data_since: '2026-09-23' }, TODAY)).toEqual({
      than: 'the 30 days before',
      gap: null,
    });
  });

  it('is not made where data began inside of them, and says when', () => {
    expect(comparisonOf({ period: PERIOD, data_since: '2026-09-24' }, TODAY).gap?.why).toMatch(
      /first visit is of 24 Sep/,
    );
    expect(comparisonOf({ period: PERIOD, data_since: '2026-11-21' }, TODAY).gap).not.toBeNull();
  });

  it('is made where nothing is said of the beginning, or nothing is there', () => {
    expect(comparisonOf({ period: PERIOD }, TODAY).gap).toBeNull();
    expect(comparisonOf({ period: PERIOD, data_since: null }, TODAY).gap).toBeNull();
    expect(
      comparisonOf({ period: { ...PERIOD, previous: null }, data_since: '2026-11-21' }, TODAY).gap,
    ).toBeNull();
  });

  it('is not made while today is most of the period', () => {
    const day = (to: string, days: number) => ({
      ...{ from: to, to, days, previous: { from: '2026-10-01', to: '2026-10-01' } },
    });
    expect(comparisonOf({ period: day(TODAY, 1) }, TODAY).gap?.words).toBe('not over yet');
    expect(comparisonOf({ period: day(TODAY, 6) }, TODAY).gap).not.toBeNull();
    expect(comparisonOf({ period: day(TODAY, 7) }, TODAY).gap).toBeNull();
    expect(comparisonOf({ period: day('2026-11-20', 1) }, TODAY).gap).toBeNull();
  });
});
