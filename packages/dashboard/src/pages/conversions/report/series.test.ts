import { describe, expect, it } from 'vitest';
import { currenciesOf, figure, matchRate, OTHERS, pointsOf, ratio, seriesOf, shapeSeries } from './series.ts';

const point = (day: string, key: string, conversions: string, ...values: [string, string][]) => ({
  day,
  key,
  conversions,
  values: values.map(([value, currency]) => ({ value, currency })),
});
const PERIOD = { from: '2026-11-01', days: 3 };

describe('the series of a chart', () => {
  it('have no gaps and no days outside the period', () => {
    const { days, lines, sums } = shapeSeries({
      ...PERIOD,
      currency: null,
      points: [
        point('2026-11-01', 'Direct', '1'),
        point('2026-11-03', 'Direct', '2'),
        point('2026-10-31', 'Direct', '9'),
        point('2026-11-04', 'Direct', '9'),
        point('no day', 'Direct', '9'),
      ],
    });
    expect(days).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
    expect(lines).toEqual([{ key: 'Direct', total: '3', values: ['1', '0', '2'], gathered: false }]);
    expect(sums).toEqual(['1', '0', '2']);
  });

  it('show one currency and leave out the other', () => {
    const points = [
      point('2026-11-01', 'Email', '2', ['10.10', 'EUR'], ['5000', 'JPY']),
      point('2026-11-01', 'Email', '1', ['0.20', 'EUR']),
      point('2026-11-02', 'Direct', '1', ['7', 'JPY']),
    ];
    const euro = shapeSeries({ ...PERIOD, points, currency: 'EUR' });
    expect(euro.lines.map(({ key, total }) => [key, total])).toEqual([['Email', '10.3']]);
    expect(shapeSeries({ ...PERIOD, points, currency: 'JPY' }).sums).toEqual(['5000', '7', '0']);
  });

  it('group small keys into one line, so that no colour is used twice', () => {
    const points = 'ABCDEFG'.split('').map((key, index) => point('2026-11-02', key, String(7 - index)));
    const { lines } = shapeSeries({ ...PERIOD, points, currency: null });
    expect(lines.map(({ key }) => key)).toEqual(['A', 'B', 'C', 'D', 'E', OTHERS]);
    expect(lines.at(-1)).toMatchObject({ total: '3', values: ['0', '3', '0'], gathered: true });
  });

  it('keep the name of the sixth key when it is the last', () => {
    const points = 'ABCDEF'.split('').map((key) => point('2026-11-02', key, '1'));
    expect(shapeSeries({ ...PERIOD, points, currency: null }).lines.at(-1)?.key).toBe('F');
  });

  it('are empty without a conversion', () => {
    expect(shapeSeries({ ...PERIOD, points: [], currency: 'EUR' })).toMatchObject({
      lines: [],
      sums: ['0', '0', '0'],
    });
  });
});

it('lists the currencies of the report, the most frequent first', () => {
  const row = (...codes: string[]) => ({
    key: 'x',
    platform: null,
    conversions: '1',
    values: codes.map((currency) => ({ currency, value: '1' })),
    refunds: [],
  });
  expect(currenciesOf([row('USD', 'EUR'), row('EUR'), row('AUD')])).toEqual(['EUR', 'AUD', 'USD']);
});

it('keeps ratios between 0 and 1', () => {
  expect([ratio('1', '2'), ratio('1', '0'), ratio('-1', '2'), ratio('3', '2')]).toEqual([0.5, 0, 0, 1]);
});

const line = (key: string, gathered = false) => ({ key, gathered, total: '1', values: ['1'] });

it('draws AI in its own colour at any rank, and grouped keys in grey', () => {
  const lines = [line('email'), line('ai_assistant'), line('direct'), line('All others', true)];
  expect(seriesOf(lines, 'channel').map(({ paint }) => paint)).toEqual([
    'hue-1',
    'ai_referral',
    'hue-3',
    'rest',
  ]);
});

it('names a line like its row, including rows without a name', () => {
  expect(seriesOf([line('paid_search')], 'channel')[0]?.name).toBe('Paid Search');
  const names = seriesOf([line('paid_search'), line(''), line('', true)], 'campaign').map(({ name }) => name);
  expect(names).toEqual(['paid_search', 'No campaign', 'All others']);
});

it('formats figures in the unit of the chart', () => {
  expect(figure(1.5, null)).toBe('1.5');
  expect(figure(1.5, 'EUR')).toBe('€1.50');
});

it('shows exact cents despite floats', () => {
  expect(figure(0.1 + 0.2, 'EUR')).toBe('€0.30');
  expect(figure(1.005 + 1e-12, 'EUR')).toBe('€1.01');
  expect(figure(-0.1 - 0.2, 'EUR')).toBe('−€0.30');
});

it('has a point for each day; the last one may be partial', () => {
  const shaped = {
    days: ['2026-11-20', '2026-11-21'],
    lines: [{ ...line('email'), values: ['1.5', '2'] }],
    sums: [],
  };
  expect(pointsOf(shaped, '2026-11-21')).toEqual([
    { day: '2026-11-20', partial: false, values: { email: 1.5 } },
    { day: '2026-11-21', partial: true, values: { email: 2 } },
  ]);
});

it.each([
  ['1', '2', 50],
  ['1', '1000', 1],
  ['999', '1000', 99],
  ['5', '5', 100],
  ['0', '5', 0],
  ['0', '0', null],
  ['x', '5', null],
])('%s of %s is %s %', (matched, all, rate) => {
  expect(matchRate(matched, all)).toBe(rate);
});
