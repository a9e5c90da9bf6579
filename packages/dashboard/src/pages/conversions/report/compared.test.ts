import { expect, it } from 'vitest';
import type { Report } from '../../../features/conversions/api.ts';
import { formatCount } from '../../../features/conversions/money.ts';
import { comparedSums, pairText } from './compared.ts';

const point = (day: string, key: string, conversions: string, value: string) => ({
  ...{ day, key, conversions },
  values: [{ currency: 'EUR', value }],
});

const REPORT = {
  series: [
    point('2026-11-21', 'email', '2', '10.10'),
    point('2026-11-22', '', '1', '5'),
    // The day that is not over.
    point('2026-11-23', 'email', '9', '90'),
  ],
  comparison: {
    compared_until: '2026-11-22',
    series: [point('2026-11-19', 'email', '4', '0.20'), point('2026-11-20', '', '1', '-3')],
  },
} as unknown as Pick<Report, 'series' | 'comparison'>;

it('sums the days that are compared, of all rows or of one', () => {
  expect(comparedSums(REPORT, null)).toEqual({ now: '3', before: '5' });
  expect(comparedSums(REPORT, 'EUR')).toEqual({ now: '15.1', before: '-2.8' });
  expect(comparedSums(REPORT, 'EUR', 'email')).toEqual({ now: '10.1', before: '0.2' });
  expect(comparedSums(REPORT, 'USD', 'email')).toEqual({ now: '0', before: '0' });
  expect(pairText({ now: '1360', before: '119' }, formatCount)).toBe('1,360 vs 119');
});

it('has nothing to sum without a comparison', () => {
  expect(comparedSums({ series: REPORT.series, comparison: null }, null)).toBeNull();
});
