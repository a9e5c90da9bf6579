import { describe, expect, it } from 'vitest';
import { comparisonOf } from './comparison.ts';

const PERIOD = {
  from: '2026-10-23',
  to: '2026-11-21',
  days: 30,
  previous: { from: '2026-09-23', to: '2026-10-22' },
};

describe('a comparison', () => {
  it('is made where the days before are whole', () => {
    expect(comparisonOf({ period: PERIOD, data_since: '2026-09-23' })).toEqual({
      than: 'the 30 days before',
      gap: null,
    });
  });

  it('is not made where data began inside of them, and says when', () => {
    expect(comparisonOf({ period: PERIOD, data_since: '2026-09-24' }).gap).toMatch(
      /first visit is of 24 Sep/,
    );
    expect(comparisonOf({ period: PERIOD, data_since: '2026-11-21' }).gap).not.toBeNull();
  });

  it('is made where nothing is said of the beginning, or nothing is there', () => {
    expect(comparisonOf({ period: PERIOD }).gap).toBeNull();
    expect(comparisonOf({ period: PERIOD, data_since: null }).gap).toBeNull();
    expect(comparisonOf({ period: { ...PERIOD, previous: null }, data_since: '2026-11-21' }).gap).toBeNull();
  });
});
