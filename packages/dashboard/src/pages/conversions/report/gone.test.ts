import { describe, expect, it } from 'vitest';
import type { ComparedRow, Report, ReportRow } from '../../../features/conversions/api.ts';
import { addDecimals } from '../../../features/conversions/money.ts';
import { isEmpty, withGoneAmounts, withGoneRows } from './gone.ts';
import { tableOf } from './ReportTable.tsx';

const NO_CHANGE = { change: null, change_stands_out: null };
const euros = (value: string) => ({ currency: 'EUR', value });
const pounds = (value: string) => ({ currency: 'GBP', value });
const now = (key: string, ...values: { currency: string; value: string }[]): ReportRow => ({
  ...{ key, values, platform: null, conversions: '2', refunds: [] },
});
const then = (key: string, gone: boolean, ...values: { currency: string; value: string }[]): ComparedRow => ({
  ...{ key, gone, conversions: '3', ...NO_CHANGE },
  values: values.map((amount) => ({ ...amount, ...NO_CHANGE })),
});

describe('what only the earlier days had', () => {
  const rows = [now('email', euros('10')), now('direct', euros('5'), pounds('1'))];
  const earlier = [
    then('email', false, euros('7'), pounds('250')),
    then('paid_search', true, euros('-4742.23')),
  ];

  it('is a row of zero below the others', () => {
    expect(withGoneRows(rows, earlier)).toEqual([
      ...rows,
      { key: 'paid_search', platform: null, conversions: '0', values: [], refunds: [] },
    ]);
    expect(withGoneRows(rows, [])).toEqual(rows);
    // A row that is missing may be beyond those that the service sends: it knows.
    expect(withGoneRows([], [then('email', false, euros('7'))])).toEqual([]);
  });

  it('is a report, also where the days themselves have nothing', () => {
    const [none, some] = ['0', '3'].map((conversions) => ({ conversions, refunds: [] }));
    if (none === undefined || some === undefined) throw new Error('two totals');
    expect(isEmpty({ totals: none, comparison: null })).toBe(true);
    expect(isEmpty({ totals: none, comparison: { totals: null } })).toBe(true);
    expect(isEmpty({ totals: none, comparison: { totals: none } })).toBe(true);
    expect(isEmpty({ totals: none, comparison: { totals: some } })).toBe(false);
    expect(isEmpty({ totals: { ...none, refunds: [euros('1')] }, comparison: null })).toBe(false);
    expect(isEmpty({ totals: some, comparison: null })).toBe(false);
  });

  it('is an amount of zero, with what it was', () => {
    expect(withGoneAmounts([euros('10')], [euros('7'), pounds('250')])).toEqual([
      euros('10'),
      { ...pounds('0'), before: pounds('250') },
    ]);
    expect(withGoneAmounts([], undefined)).toEqual([]);
  });

  it('is in the file, so that its earlier figures add up in each currency', () => {
    const comparison = {
      rows: earlier,
      period: { previous: { from: '2026-10-01', to: '2026-10-20' } },
    } as unknown as Report['comparison'];
    const { head, rows: lines } = tableOf(withGoneRows(rows, earlier), 'channel', comparison);
    const [currency, value] = [head.indexOf('Currency'), head.indexOf('Value then')];
    const sum = (code: string) =>
      addDecimals(...lines.filter((line) => line[currency] === code).map((line) => String(line[value])));
    expect([sum('EUR'), sum('GBP')]).toEqual(['-4735.23', '250']);
    expect(lines.at(-1)?.slice(0, 6)).toEqual(['Paid Search', '', '0', 'EUR', '0', '']);
  });
});
