/** Money as decimal text, as it is on the wire: added, rounded and written by whole digits, never as a float. */
import { addDecimal, compareDecimal, currencyExponent } from '@ghostlight/core/conversion';

/** What may be calculated with: more digits than any amount or share has. */
const DECIMAL = /^-?\d{1,40}(?:\.\d{1,20})?$/;

export interface Amount {
  readonly currency: string;
  /** Decimal text. */
  readonly value: string;
}

/** The exact sum. Text that is no decimal counts as nothing. */
export function addDecimals(...texts: readonly string[]): string {
  return texts.filter((text) => DECIMAL.test(text)).reduce(addDecimal, '0');
}

/** For sorting. Text that is no decimal is nothing. */
export function compareDecimals(a: string, b: string): number {
  return compareDecimal(DECIMAL.test(a) ? a : '0', DECIMAL.test(b) ? b : '0');
}

export function isZero(text: string): boolean {
  return compareDecimals(text, '0') === 0;
}

/** Half away from zero, as invoices round. @returns text with exactly so many places */
export function roundDecimal(text: string, places: number): string {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const kept = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  const units = kept + (Number(fraction[places] ?? 0) >= 5 ? 1n : 0n);
  const digits = String(units).padStart(places + 1, '0');
  const point = digits.length - places;
  const rounded = places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return text.startsWith('-') && units !== 0n ? `-${rounded}` : rounded;
}

/** `1234.5` in EUR as `€1,234.50`. What is no decimal is shown as it came. */
export function formatMoney({ value, currency }: Amount): string {
  if (!DECIMAL.test(value)) return `${value} ${currency}`.trim();
  // Not `Intl`'s own digits: CLDR drops the cents of a dozen currencies that have them.
  const rounded = roundDecimal(value, currencyExponent(currency) ?? 2);
  const symbol = symbolOf(currency);
  // A symbol made of letters would run into the digits.
  const gap = /\p{L}$/u.test(symbol) ? '\u00a0' : '';
  return `${rounded.startsWith('-') ? '−' : ''}${symbol}${gap}${grouped(rounded.replace('-', ''))}`;
}

/** What a conversion is worth; a refund takes it back. Null: it carries no value. */
export function worthOf({
  topic,
  value,
  currency,
}: {
  readonly topic: string;
  readonly value: string | null;
  readonly currency: string | null;
}): string | null {
  if (value === null) return null;
  return `${topic === 'refund' ? '−' : ''}${formatMoney({ value, currency: currency ?? '' })}`;
}

/** Short enough for an axis: `€1.2k`. Rounded, so never the only place where a figure stands. */
export function formatMoneyShort({ value, currency }: Amount): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return '';
  const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(number);
  return `${symbolOf(currency)}${/\p{L}$/u.test(symbolOf(currency)) ? '\u00a0' : ''}${short}`;
}

/** `12`, or `3.33` of a credit that is shared: at most two places, none that are zero. */
export function formatCount(text: string): string {
  if (!DECIMAL.test(text)) return text;
  const rounded = roundDecimal(text, 2);
  return grouped(rounded.includes('.') ? rounded.replace(/\.?0+$/, '') : rounded);
}

/** Thousands apart. The text stays text: a float would lose the digits of a large sum. */
function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? apart : `${apart}.${fraction}`;
}

function symbolOf(currency: string): string {
  try {
    const parts = new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(0);
    return parts.find(({ type }) => type === 'currency')?.value ?? currency;
  } catch {
    return currency;
  }
}
