import { decimalOf } from '@ghostlight/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountText,
  limitedDataUse,
  namedOf,
  orderIdOf,
  piecesOf,
  productIdOf,
  wholePiecesOf,
} from './event-parts.ts';
import { consentOf, contextOf } from './testing.ts';

const product = (changes: object) => ({
  id: null,
  name: null,
  sku: null,
  quantity: null,
  price: null,
  discount: null,
  extra: {},
  ...changes,
});

describe('an amount as text', () => {
  it.each([
    ['99.9', 'USD', '99.90'],
    ['99', 'USD', '99.00'],
    ['0', 'EUR', '0.00'],
    ['1500', 'JPY', '1500'],
    ['1500.5', 'JPY', '1500.5'],
    ['1.5', 'KWD', '1.500'],
    ['0.0001', 'USD', '0.0001'],
    ['5', '', '5'],
  ])('%s in %s is %s', (decimal, currency, text) => {
    expect(amountText(decimal, currency)).toBe(text);
  });

  it('is the same amount', () => {
    const decimals = fc.tuple(fc.nat(), fc.nat(9_999)).map(([whole, part]) => `${whole}.${part}`);
    fc.assert(
      fc.property(decimals, fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'), (text, currency) => {
        const decimal = decimalOf(text) ?? '0';
        expect(decimalOf(amountText(decimal, currency))).toBe(decimal);
      }),
    );
  });
});

describe('products', () => {
  it('are known by their id, else by their stock-keeping unit', () => {
    expect(productIdOf(product({ id: 'a', sku: 'b' }))).toBe('a');
    expect(productIdOf(product({ sku: 'b' }))).toBe('b');
    expect(productIdOf(product({ name: 'c' }))).toBeNull();
  });

  it('without any name are left out, but counted', () => {
    const products = [
      product({ quantity: '3' }),
      product({ name: 'c' }),
      product({ sku: 'b', quantity: '0' }),
    ];
    expect(namedOf(products)).toHaveLength(2);
    expect(piecesOf(products)).toBe(4);
    expect(piecesOf([])).toBeNull();
    const byWeight = product({ quantity: '1.25' });
    expect([wholePiecesOf(byWeight), piecesOf([byWeight])]).toEqual([null, 1]);
  });
});

it('an order number is one of purchases and subscriptions alone', () => {
  const orders = (['purchase', 'subscription', 'lead', 'signup', 'custom', 'refund'] as const).filter(
    (topic) => orderIdOf({ topic, conversionId: 'a' }) !== null,
  );
  expect(orders).toEqual(['purchase', 'subscription']);
});

describe('limited data use', () => {
  it.each([
    ['unknown', null, false, null],
    ['unknown', true, false, false],
    ['unknown', false, false, true],
    ['granted', null, false, false],
    ['granted', false, false, true],
    ['granted', true, true, true],
    ['unknown', null, true, true],
    ['denied', null, false, null],
  ] as const)(
    'with advertising %s, sale of data %s and the setting %s is %s',
    (advertising, sale, always, limited) => {
      const context = contextOf({}, {}, consentOf(advertising, sale));
      expect(limitedDataUse(context, always)).toBe(limited);
    },
  );
});
