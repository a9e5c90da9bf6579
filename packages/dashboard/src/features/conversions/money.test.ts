import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  formatCount,
  formatMoney,
  formatMoneyShort,
  isZero,
  moneyOf,
  roundDecimal,
} from './money.ts';

const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const decimal = (units: bigint) => {
  const digits = String(units < 0n ? -units : units).padStart(3, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

describe('money', () => {
  it.each([
    ['1234.5', 'EUR', '€1,234.50'],
    ['0', 'USD', '$0.00'],
    ['3', 'IQD', 'IQD\u00a03.000'],
    ['1234567', 'JPY', '¥1,234,567'],
    ['1.2345', 'KWD', 'KWD\u00a01.235'],
    ['99.9', 'CHF', 'CHF\u00a099.90'],
    ['-12.345', 'EUR', '−€12.35'],
    ['-0.001', 'EUR', '€0.00'],
    ['1500', 'HUF', 'HUF\u00a01,500.00'],
    ['123456789012345678901234567890.12', 'USD', '$123,456,789,012,345,678,901,234,567,890.12'],
  ])('%s %s is written %s', (value, currency, text) => {
    expect(formatMoney({ value, currency })).toBe(text);
  });

  it('is shown as received when it is not a decimal or not a currency', () => {
    expect(formatMoney({ value: '1e400', currency: 'EUR' })).toBe('1e400 EUR');
    expect(formatMoney({ value: '5', currency: '??' })).toBe('??5.00');
  });

  it('adds without a float: a tenth and two tenths are three tenths', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals()).toBe('0');
    expect(addDecimals('12', '-12.50')).toBe('-0.5');
    expect(addDecimals('0.333333333333', '0.666666666667')).toBe('1');
    expect(addDecimals('7', 'NaN')).toBe('7');
  });

  it('adds and compares as whole cents do, however large', () => {
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect(compareDecimals(addDecimals(decimal(a), decimal(b)), decimal(a + b))).toBe(0);
        expect(compareDecimals(decimal(a), decimal(b))).toBe(a === b ? 0 : a < b ? -1 : 1);
      }),
    );
  });

  it('rounds half away from zero', () => {
    expect(['2.345', '2.344', '-2.345', '2'].map((text) => roundDecimal(text, 2))).toEqual([
      '2.35',
      '2.34',
      '-2.35',
      '2.00',
    ]);
    expect(roundDecimal('9.999', 0)).toBe('10');
    expect(roundDecimal('-0.004', 2)).toBe('0.00');
  });

  it('has a short form for an axis', () => {
    expect(formatMoneyShort({ value: '1234.5', currency: 'EUR' })).toBe('€1.2K');
    expect(formatMoneyShort({ value: '-500', currency: 'EUR' })).toBe('−€500');
    expect(formatMoneyShort({ value: 'x', currency: 'EUR' })).toBe('');
    expect(formatMoneyShort({ value: '2000000000000', currency: 'EUR' })).toBe('€2T');
    expect(formatMoneyShort({ value: '100000090071992547409.93', currency: 'EUR' })).toBe('€1E20');
  });
});

it('recognises zero', () => {
  expect(['0', '0.00', '-0', 'x', '0.01'].map(isZero)).toEqual([true, true, true, true, false]);
});

it('writes a share of a conversion with two places, and a whole one with none', () => {
  expect(['3', '3.000', '0.3333333', '1204.5', '10', '100.00'].map(formatCount)).toEqual([
    '3',
    '3',
    '0.33',
    '1,204.5',
    '10',
    '100',
  ]);
});

it('writes amounts beside each other alike: without cents where none has any', () => {
  const euros = (value: string) => ({ currency: 'EUR', value });
  expect([euros('12'), euros('1234.00')].map(moneyOf([euros('12'), euros('1234.00')]))).toEqual([
    '€12',
    '€1,234',
  ]);
  expect(moneyOf([euros('12'), euros('0.5')])(euros('12'))).toBe('€12.00');
});
