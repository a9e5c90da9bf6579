import { describe, expect, it } from 'vitest';
import { periodOf } from '../../format/period.ts';
import { briefly, byTheHour, comparisonOf, periodSentence } from './comparison.ts';
import { overQuotaSentence } from './over-quota.ts';

const PERIOD = {
  from: '2026-10-23',
  to: '2026-11-21',
  days: 30,
  previous: { from: '2026-09-23', to: '2026-10-22' },
};
const WHOLE = { period: PERIOD, compared_until: '2026-11-21' };

describe('a comparison', () => {
  it('is made when the days compared with are known, and says which they are', () => {
    const { than, sentence, gap } = comparisonOf({ ...WHOLE, data_since: '2026-09-23' });
    expect(than).toMatch(/^23 Sept?.–.22 Oct 2026$/);
    expect(sentence).toMatch(/^Compared with 23 Sept?.–.22 Oct 2026\.$/);
    expect(gap).toBeNull();
  });

  it('is not made when data began within those days, and says when', () => {
    const without = (more: object) =>
      comparisonOf({ ...WHOLE, not_compared: 'no_earlier_data', ...more }).gap?.why;
    expect(without({ data_since: '2026-09-24' })).toMatch(
      /^No comparison with .*: the first visit was on 24 Sept? 2026, so there is no complete data to compare with\.$/,
    );
    expect(without({ data_since: null })).toMatch(/: no visit has arrived yet\.$/);
    expect(without({ data_since: '2026-01-01', figures_kept_since: '2026-10-01' })).toMatch(
      /: visits before 1 Oct 2026 are no longer kept\.$/,
    );
  });

  it('is not made with days of which visits were dropped, and says why', () => {
    const { sentence, gap } = comparisonOf({
      ...WHOLE,
      data_since: '2026-01-01',
      not_compared: 'over_quota',
    });
    expect(gap).toMatchObject({ words: 'quota reached', why: sentence });
    expect(sentence).toMatch(/^No comparison with 23 Sept?.–.22 Oct 2026: the quota was reached on one/);
    expect(overQuotaSentence([])).toBe('');
    expect(overQuotaSentence(['2026-11-03', '2026-11-05'])).toBe(
      'The quota was reached on 3 Nov and 5 Nov: visits dropped after that are missing from the figures. ',
    );
    expect(overQuotaSentence(['2026-11-03', '2026-11-05', '2026-11-06', '2026-11-07'])).toMatch(
      /^The quota was reached on 4 days: /,
    );
  });

  it('of conversions says so, and is not made when more came than are counted', () => {
    const conversions = (more: object) =>
      comparisonOf({ ...WHOLE, not_compared: 'no_earlier_data', ...more }, false, 'conversion');
    expect(conversions({ data_since: '2026-11-02' }).gap?.why).toMatch(
      /the first conversion was on 2 Nov 2026/,
    );
    const kept = conversions({ data_since: '2026-10-02', kept_since: '2026-10-02' });
    expect(kept.gap?.why).toMatch(/: conversions before 2 Oct 2026 are no longer kept\.$/);
    expect(conversions({ data_since: '2026-10-02', kept_since: '2026-10-01' }).gap?.why).toMatch(
      /the first conversion was on/,
    );
    const { sentence, gap } = conversions({ not_compared: 'cut' });
    expect(gap).toMatchObject({ words: 'too many', why: sentence });
    expect(sentence).toMatch(/: there are too many conversions to count them all\.$/);
  });

  it('of today alone will not be made where no whole day is known before it', () => {
    const today = { ...PERIOD, from: '2026-11-21', days: 1, previous: null };
    const first = (data_since: string | null) =>
      comparisonOf({ period: today, compared_until: null, not_compared: 'not_over', data_since }).gap?.words;
    expect(['2026-11-21', '2026-11-20', null, '2026-11-19'].map(first)).toEqual([
      ...['no earlier data', 'no earlier data', 'no earlier data', 'so far'],
    ]);
  });

  it('of a running period says how far, and is not made for today alone', () => {
    const previous = { from: '2026-10-01', to: '2026-10-20' };
    const month = { from: '2026-11-01', to: '2026-11-21', days: 21, previous };
    expect(comparisonOf({ period: month, compared_until: '2026-11-20' }).sentence).toMatch(
      /^1.–.20 Nov 2026 compared with 1.–.20 Oct 2026; today is still in progress and is excluded\.$/,
    );
    const three = comparisonOf({ period: { ...month, to: '2026-11-23' }, compared_until: '2026-11-20' });
    expect(three.sentence).toMatch(/Oct 2026; days still in progress are excluded\.$/);
    const today = { ...PERIOD, from: '2026-11-21', days: 1, previous: null };
    expect(comparisonOf({ period: today, compared_until: null })).toMatchObject({
      gap: { words: 'so far', brief: 'compared once it ends' },
    });
  });

  it('of today alone is made by the hour, as far as an hour is compared', () => {
    const today = { ...PERIOD, from: '2026-11-21', days: 1, previous: null };
    const whole = comparisonOf({ period: today, compared_until: null });
    expect(byTheHour(whole, null)).toBe(whole);
    const hourly = byTheHour(whole, '20 Nov 2026 by 20:00');
    expect(briefly(hourly)).toEqual(['vs 20 Nov 2026 by 20:00']);
    expect(hourly.sentence).toMatch(
      /^Today is still in progress\. Its completed hours are compared with 20 Nov/,
    );
    // Of a figure without hours that stays the reason.
    expect(hourly.gap).toEqual(whole.gap);
    const full = comparisonOf({ period: today, compared_until: null, not_compared: 'over_quota' });
    expect(byTheHour(full, '20 Nov 2026 by 20:00')).toBe(full);
    expect(full.sentence).toMatch(/^No comparison: the quota was reached on one/);
  });

  it('of a longer month says which days the month before does not have', () => {
    const march = {
      ...{ from: '2024-03-01', to: '2024-03-31', days: 31 },
      previous: { from: '2024-02-01', to: '2024-02-29' },
    };
    expect(comparisonOf({ period: march, compared_until: '2024-03-29' }).sentence).toMatch(
      /^1.–.29 Mar 2024 compared with 1.–.29 Feb 2024; 30.–.31 Mar 2024 have no matching earlier days and are excluded\.$/,
    );
    const october = {
      ...{ from: '2026-10-01', to: '2026-10-31', days: 31 },
      previous: { from: '2026-09-01', to: '2026-09-30' },
    };
    expect(comparisonOf({ period: october, compared_until: '2026-10-30' }).sentence).toMatch(
      /; 31 Oct 2026 has no matching earlier day and is excluded\.$/,
    );
  });

  it('that the reader switched off says nothing', () => {
    expect(comparisonOf(WHOLE, true)).toMatchObject({ isOff: true, sentence: null, gap: null });
  });

  it('has a short form for narrow screens', () => {
    const [made] = briefly(comparisonOf(WHOLE));
    expect(made).toMatch(/^vs 23 Sept?.–.22 Oct 2026$/);
    expect(
      briefly(comparisonOf({ ...WHOLE, data_since: '2026-09-24', not_compared: 'no_earlier_data' })),
    ).toEqual(['no comparison: no earlier data']);
    const previous = { from: '2026-10-01', to: '2026-10-20' };
    const month = { from: '2026-11-01', to: '2026-11-21', days: 21, previous };
    expect(briefly(comparisonOf({ period: month, compared_until: '2026-11-20' }))[0]).toMatch(
      /^20 full days vs 1.–.20 Oct 2026$/,
    );
    expect(briefly(comparisonOf(WHOLE, true))).toEqual([]);
  });

  it('follows the days of the page in one sentence', () => {
    const period = periodOf({}, Date.parse('2026-11-21T12:00:00Z'));
    expect(periodSentence(period, null)).toMatch(/^23 Oct.–.21 Nov 2026, so far$/);
    expect(periodSentence(period, comparisonOf(WHOLE))).toMatch(/, so far\. Compared with 23 Sept?.–/);
  });
});
