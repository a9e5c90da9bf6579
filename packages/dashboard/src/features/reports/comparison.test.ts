import { describe, expect, it } from 'vitest';
import { comparisonOf } from './comparison.ts';

const PERIOD = {
  from: '2026-10-23',
  to: '2026-11-21',
  days: 30,
  previous: { from: '2026-09-23', to: '2026-10-22' },
};
const WHOLE = { period: PERIOD, compared_until: '2026-11-21' };

describe('a comparison', () => {
  it('is made where the days before are whole', () => {
    expect(comparisonOf({ ...WHOLE, data_since: '2026-09-23' })).toEqual({
      than: 'the 30 days before',
      gap: null,
    });
  });

  it('is not made where data began inside of them, and says when', () => {
    expect(comparisonOf({ ...WHOLE, data_since: '2026-09-24' }).gap?.why).toMatch(/first visit is of 24 Sep/);
    expect(comparisonOf({ ...WHOLE, data_since: '2026-11-21' }).gap).not.toBeNull();
  });

  it('is made where nothing is said of the beginning, or nothing is there', () => {
    expect(comparisonOf(WHOLE).gap).toBeNull();
    expect(comparisonOf({ ...WHOLE, data_since: null }).gap).toBeNull();
  });

  it('leaves a day out that is not over, and is not made of that day alone', () => {
    expect(comparisonOf({ ...WHOLE, compared_until: '2026-11-20' })).toEqual({
      than: 'the 30 days before, today left out on both sides',
      gap: null,
    });
    const today = { ...PERIOD, from: '2026-11-21', days: 1, previous: null };
    expect(comparisonOf({ period: today, compared_until: null }).gap?.words).toBe('not over yet');
  });
});
