import { expect, it } from 'vitest';
import type { Report } from '../../../features/conversions/api.ts';
import { chosenFirst, currenciesOf, valueName } from './currencies.ts';

const part = (conversions: string, ...codes: string[]) => ({
  ...{ day: '2026-11-20', key: 'x', conversions },
  values: codes.map((currency) => ({ currency, value: '1' })),
});
const reportOf = (
  parts: readonly ReturnType<typeof part>[],
  totals: readonly string[],
  earlier: readonly ReturnType<typeof part>[] | null = null,
) =>
  ({
    series: parts,
    totals: part('9', ...totals),
    comparison: earlier === null ? null : { series: earlier, totals: part('1', 'GBP', 'CHF') },
  }) as unknown as Pick<Report, 'series' | 'totals' | 'comparison'>;

it('lists the currency of most conversions first, however few rows have it', () => {
  // Two orders in dollars are in more rows than twenty in euros.
  const report = reportOf([part('1', 'USD'), part('20', 'EUR'), part('1', 'USD')], ['AUD', 'EUR', 'USD']);
  expect(currenciesOf(report, undefined)).toEqual({ all: ['EUR', 'USD', 'AUD'], chosen: 'EUR' });
  expect(currenciesOf(report, 'USD').chosen).toBe('USD');
  expect(currenciesOf(report, 'SEK').chosen).toBe('EUR');
});

it('can choose what only the earlier days had', () => {
  const report = reportOf([part('1', 'EUR')], ['EUR'], [part('3', 'GBP'), part('1', 'EUR')]);
  expect(currenciesOf(report, 'GBP')).toEqual({ all: ['EUR', 'GBP', 'CHF'], chosen: 'GBP' });
  expect(currenciesOf(reportOf([], []), 'EUR')).toEqual({ all: [], chosen: null });
});

it('puts the chosen currency first, and names it where there are several', () => {
  const amounts = part('1', 'AUD', 'EUR', 'USD').values;
  expect(chosenFirst(amounts, { chosen: 'EUR' }).map(({ currency }) => currency)).toEqual([
    ...['EUR', 'AUD', 'USD'],
  ]);
  expect(valueName({ all: ['EUR', 'USD'], chosen: 'USD' })).toBe('value in USD');
  expect(valueName({ all: ['EUR'], chosen: 'EUR' })).toBe('value');
});
