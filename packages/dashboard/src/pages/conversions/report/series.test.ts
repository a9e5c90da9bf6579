import { describe, expect, it } from 'vitest';
import {
  addFigures,
  figure,
  matchRate,
  OTHERS,
  pointsOf,
  ratio,
  seriesOf,
  shapeSeries,
  shareOf,
  shareOfRow,
  withEarlier,
} from './series.ts';

const point = (day: string, key: string, conversions: string, ...values: [string, string][]) => ({
  day,
  key,
  conversions,
  values: values.map(([value, currency]) => ({ value, currency })),
});
const PERIOD = { from: '2026-11-01', days: 3 };

describe('the series of a chart', () => {
  it('have no gaps and no days outside the period', () => {
    const { days, lines } = shapeSeries({
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
  });

  it('show one currency and leave out the other', () => {
    const points = [
      point('2026-11-01', 'Email', '2', ['10.10', 'EUR'], ['5000', 'JPY']),
      point('2026-11-01', 'Email', '1', ['0.20', 'EUR']),
      point('2026-11-02', 'Direct', '1', ['7', 'JPY']),
    ];
    const euro = shapeSeries({ ...PERIOD, points, currency: 'EUR' });
    expect(euro.lines.map(({ key, total }) => [key, total])).toEqual([['Email', '10.3']]);
    const yen = shapeSeries({ ...PERIOD, points, currency: 'JPY' });
    expect(yen.lines.map(({ key, values }) => [key, values])).toEqual([
      ['Email', ['5000', '0', '0']],
      ['Direct', ['0', '7', '0']],
    ]);
  });

  it('group small keys into one line, so that no colour is used twice', () => {
    const points = 'ABCDEFGHI'.split('').map((key, index) => point('2026-11-02', key, String(9 - index)));
    const { lines } = shapeSeries({ ...PERIOD, points, currency: null });
    expect(lines.map(({ key }) => key)).toEqual([...'ABCD', OTHERS]);
    expect(lines.at(-1)).toMatchObject({ total: '15', values: ['0', '15', '0'], gathered: true });
  });

  it('keep the name of the fifth key when it is the last', () => {
    const points = 'ABCDE'.split('').map((key) => point('2026-11-02', key, '1'));
    expect(shapeSeries({ ...PERIOD, points, currency: null }).lines.at(-1)?.key).toBe('E');
  });

  it('are empty without a conversion', () => {
    expect(shapeSeries({ ...PERIOD, points: [], currency: 'EUR' }).lines).toEqual([]);
  });
});

describe('the days that a chart is compared with', () => {
  const shaped = shapeSeries({ ...PERIOD, currency: null, points: [point('2026-11-01', 'Direct', '1')] });
  const earlier = (...points: ReturnType<typeof point>[]) => ({
    ...{ from: '2026-10-30', to: '2026-10-31', points },
  });

  it('are told apart as its lines are, day by day', () => {
    const { before, shaped: same } = withEarlier(shaped, earlier(point('2026-10-31', 'Direct', '2')), null);
    expect(before).toEqual([
      { day: '2026-10-30', values: { Direct: '0', [OTHERS]: '0' } },
      { day: '2026-10-31', values: { Direct: '2', [OTHERS]: '0' } },
    ]);
    expect(same.lines).toEqual(shaped.lines);
  });

  it('lose nothing that the chart has no line for', () => {
    const points = [point('2026-10-30', 'Email', '3'), point('2026-10-30', 'Direct', '1')];
    const { before, shaped: more } = withEarlier(shaped, earlier(...points), null);
    expect(before?.[0]?.values).toEqual({ Direct: '1', [OTHERS]: '3' });
    expect(more.lines.map(({ key, total }) => [key, total])).toEqual([
      ['Direct', '1'],
      [OTHERS, '0'],
    ]);
  });

  it('are in the currency of the chart, and none without a comparison', () => {
    const points = [point('2026-10-30', 'Direct', '3', ['7', 'EUR'], ['900', 'JPY'])];
    expect(withEarlier(shaped, earlier(...points), 'EUR').before?.[0]?.values).toMatchObject({ Direct: '7' });
    expect(withEarlier(shaped, null, 'EUR').before).toBeNull();
  });
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
  expect(figure('1.5', null)).toBe('1.5');
  expect(figure('1.5', 'EUR')).toBe('€1.50');
});

it('adds up and shows every digit, however many there are', () => {
  expect(addFigures(['0.1', '0.2'])).toBe('0.3');
  expect(figure(addFigures(['12345678901234567890.12', '0', 0]), 'EUR')).toBe(
    '€12,345,678,901,234,567,890.12',
  );
  expect(figure(addFigures(['-0.1', '-0.2']), 'EUR')).toBe('−€0.30');
});

it('has a point for each day; the last one may be partial', () => {
  const shaped = {
    days: ['2026-11-20', '2026-11-21'],
    lines: [{ ...line('email'), values: ['1.5', '2'] }],
  };
  expect(pointsOf(shaped, '2026-11-21')).toEqual([
    { day: '2026-11-20', partial: false, values: { email: '1.5' } },
    { day: '2026-11-21', partial: true, values: { email: '2' } },
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

it.each([
  ['2643', '13606', 19],
  ['0', '5', 0],
  ['-1', '5', null],
  ['6', '5', null],
  ['0', '0', null],
])('%s of a value of %s is a share of %s %', (part, whole, share) => {
  expect(shareOf(part, whole)).toBe(share);
});

it('gives a row no share of a currency that it has nothing in, though it has value', () => {
  const row = (...values: { currency: string; value: string }[]) => ({
    ...{ key: '', platform: null, conversions: '3', refunds: [], values },
  });
  const euros = { currency: 'EUR', value: '642.84' };
  expect(shareOfRow(row(euros), 'USD', '179.08')).toBeNull();
  expect(shareOfRow(row(euros), 'EUR', '642.84')).toBe(100);
  expect(shareOfRow(row(euros), null, '6')).toBe(50);
  // Leads are worth nothing, in whatever currency.
  expect(shareOfRow(row(), 'USD', '179.08')).toBe(0);
});
