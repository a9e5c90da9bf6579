/** What the events of several platforms are made of. */

import { currencyExponent, type Product } from '@ghostlight/core';
import { sum } from '../common/index.ts';
import type { ForwardedConversion, MatchContext } from './port.ts';

/** @returns the newest click id of that name in the window, as it was landed with */
export const clickIdOf = (context: MatchContext, name: string): string | null =>
  context.clickIds[name]?.value ?? null;

export const browserIdOf = (context: MatchContext, cookie: string): string | null =>
  context.browserIds[cookie] ?? null;

/** An order number is one of purchases and subscriptions alone; the id of a lead is no order. */
export const orderIdOf = (conversion: Pick<ForwardedConversion, 'topic' | 'conversionId'>): string | null =>
  conversion.topic === 'purchase' || conversion.topic === 'subscription' ? conversion.conversionId : null;

/** What the catalogue of a platform knows a product by. */
export const productIdOf = (product: Product): string | null => product.id ?? product.sku;

/** Of a product that has neither id nor name nothing could be said that a platform can use. */
export const namedOf = (products: readonly Product[]): readonly Product[] =>
  products.filter((product) => (productIdOf(product) ?? product.name) !== null);

/** How many pieces of a product; null where it is not said, and for what is sold by weight or length: platforms count whole pieces. */
export function wholePiecesOf({ quantity }: Product): number | null {
  const pieces = quantity === null ? null : Number(quantity);
  return Number.isSafeInteger(pieces) ? pieces : null;
}

/** Pieces in all; a product without a whole quantity is one. @returns null without products */
export const piecesOf = (products: readonly Product[]): number | null =>
  products.length === 0 ? null : sum(products, (product) => wholePiecesOf(product) ?? 1);

/**
 * For platforms that take money as text.
 *
 * @param decimal canonical
 * @returns at least the digits of the currency: `99.90`, `1500` for JPY
 */
export function amountText(decimal: string, currency: string): string {
  const [integer = '0', fraction = ''] = decimal.split('.');
  const digits = fraction.padEnd(currencyExponent(currency) ?? 0, '0');
  return digits === '' ? integer : `${integer}.${digits}`;
}

/**
 * What to say in a platform's field for people who object to the sale of their data.
 *
 * @param always the destination's setting: all data is limited
 * @returns null where there is no consent signal: then the field is left out
 */
export function limitedDataUse({ consent }: MatchContext, always: boolean): boolean | null {
  if (always || consent.saleOfData === false) return true;
  return consent.saleOfData === true || consent.advertising === 'granted' ? false : null;
}
