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
  it('is made when the previous period is complete', () => {
    expect(comparisonOf({ ...WHOLE, data_since: '2026-09-23' })).toEqual({
      than: 'the previous 30 days',
      gap: null,
    });
  });

  it('is not made when data began within the previous period, and says when', () => {
    expect(comparisonOf({ ...WHOLE, data_since: '2026-09-24' }).gap?.why).toMatch(
      /first visit was on 24 Sep/,
    );
    expect(comparisonOf({ ...WHOLE, data_since: '2026-11-21' }).gap).not.toBeNull();
  });

  it('is made when the beginning of the data is unknown', () => {
    expect(comparisonOf(WHOLE).gap).toBeNull();
    expect(comparisonOf({ ...WHOLE, data_since: null }).gap).toBeNull();
  });

  it('leaves today out, and is not made for today alone', () => {
    expect(comparisonOf({ ...WHOLE, compared_until: '2026-11-20' })).toEqual({
      than: 'the previous 30 days, excluding today',
      gap: null,
    });
    const today = { ...PERIOD, from: '2026-11-21', days: 1, previous: null };
    expect(comparisonOf({ period: today, compared_until: null }).gap?.words).toBe('not over yet');
  });
});
