import { describe, expect, it } from 'vitest';
import { canChooseBars, hourBars, hourBefore, isByHour, shapeHours } from './hours.ts';

const point = (at: string, key: string, value: string) => ({
  ...{ at: `2026-11-${at}:00:00.000Z`, key, conversions: '1' },
  values: [{ currency: 'EUR', value }],
});
const hours = {
  ...{ from: '2026-11-21T00:00:00.000Z', until: '2026-11-21T04:00:00.000Z' },
  points: [point('21T01', 'email', '10.10'), point('21T01', 'email', '0.20'), point('21T03', 'direct', '5')],
};
const earlier = {
  ...{ from: '2026-11-20T00:00:00.000Z', until: '2026-11-20T02:00:00.000Z' },
  points: [point('20T01', 'email', '7'), point('20T01', 'paid_search', '1')],
};
const NOW = Date.parse('2026-11-21T03:20:00Z');

it('are drawn of a single day, and of up to seven where they are chosen', () => {
  expect([1, 2, 7, 8].map((days) => canChooseBars({ days }))).toEqual([false, true, true, false]);
  expect(isByHour({ days: 1 }, {})).toBe(true);
  expect(isByHour({ days: 7 }, {})).toBe(false);
  expect(isByHour({ days: 7 }, { bars: 'hours' })).toBe(true);
  expect(isByHour({ days: 8 }, { bars: 'hours' })).toBe(false);
});

describe('the chart', () => {
  it('has a bar for every hour, exact sums, and one that is not over', () => {
    const { shaped } = shapeHours(hours, null, 'EUR');
    const bars = hourBars(shaped, 'UTC', NOW);
    expect(bars.map(({ label, partial }) => [label, partial])).toEqual([
      ['00:00', false],
      ['01:00', false],
      ['02:00', false],
      ['03:00', true],
    ]);
    expect(bars.map(({ values }) => values['email'])).toEqual(['0', '10.3', '0', '0']);
    expect(bars[3]).toMatchObject({ last: '2026-11-21T04:00:00.000Z', values: { direct: '5' } });
  });

  it('is compared hour by hour', () => {
    const { before } = shapeHours(hours, earlier, 'EUR');
    expect(hourBefore(before, 'UTC')).toMatchObject([
      { values: { email: '0' } },
      { label: '20 Nov, 01:00', values: { email: '7', 'All others': '1' } },
    ]);
    expect(hourBefore(shapeHours(hours, null, 'EUR').before, 'UTC')).toEqual([]);
  });
});
