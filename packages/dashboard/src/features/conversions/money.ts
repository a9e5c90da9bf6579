/** Money as decimal text, as in the API: added, rounded and formatted digit by digit, never as a float. */
import { addDecimal, compareDecimal, currencyExponent } from '@ghostlight/core/conversion';

/** Text that can be calculated with: more digits than any amount or share has. */
const DECIMAL = /^-?\d{1,40}(?:\.\d{1,20})?$/;

export interface Amount {
  readonly currency: string;
  /** Decimal text. */
  readonly value: string;
}

/** The exact sum. Text that is not a decimal counts as zero. */
export function addDecimals(...texts: readonly string[]): string {
  return texts.filter((text) => DECIMAL.test(text)).reduce(addDecimal, '0');
}

/** For sorting. Text that is not a decimal counts as zero. */
export function compareDecimals(a: string, b: string): number {
  return compareDecimal(DECIMAL.test(a) ? a : '0', DECIMAL.test(b) ? b : '0');
}

export function isZero(text: string): boolean {
  return compareDecimals(text, '0') === 0;
}

/** Rounds half away from zero, as invoices do. @returns text with exactly this many places */
export function roundDecimal(text: string, places: number): string {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const kept = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  const units = kept + (Number(fraction[places] ?? 0) >= 5 ? 1n : 0n);
  const digits = String(units).padStart(places + 1, '0');
  const point = digits.length - places;
  const rounded = places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return text.startsWith('-') && units !== 0n ? `-${rounded}` : rounded;
}

/** `1234.5` in EUR as `€1,234.50`. Text that is not a decimal is shown as received. */
export function formatMoney({ value, currency }: Amount): string {
  if (!DECIMAL.test(value)) return `${value} ${currency}`.trim();
  // Not `Intl`'s own digits: CLDR drops the cents of a dozen currencies that have them.
  const rounded = roundDecimal(value, currencyExponent(currency) ?? 2);
  const symbol = symbolOf(currency);
  // A symbol made of letters needs a space before the digits.
  const gap = /\p{L}$/u.test(symbol) ? '\u00a0' : '';
  return `${rounded.startsWith('-') ? '−' : ''}${symbol}${gap}${grouped(rounded.replace('-', ''))}`;
}

/** How amounts that are beside each other are written: without cents where none of them has any. */
export function moneyOf(all: readonly Amount[]): (amount: Amount) => string {
  const isWhole = all.every(({ value }) => /^-?\d+(?:\.0+)?$/.test(value));
  return isWhole ? (amount) => formatMoney(amount).replace(/\.0+$/, '') : formatMoney;
}

/** The value of a conversion, negative for a refund. Null: it has no value. */
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

/** Short form for an axis: `€1.2k`. Rounded, so the exact figure is always shown elsewhere. */
export function formatMoneyShort({ value, currency }: Amount): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return '';
  // Beyond trillions there are no names: their digits would run out of the chart.
  const notation = Math.abs(number) < 1e15 ? 'compact' : 'scientific';
  const short = new Intl.NumberFormat('en', { notation, maximumFractionDigits: 1 }).format(Math.abs(number));
  return `${number < 0 ? '−' : ''}${symbolOf(currency)}${/\p{L}$/u.test(symbolOf(currency)) ? '\u00a0' : ''}${short}`;
}

/** `12`, or `3.33` for shared credit: at most two decimal places, without trailing zeros. */
export function formatCount(text: string): string {
  if (!DECIMAL.test(text)) return text;
  const rounded = roundDecimal(text, 2);
  return grouped(rounded.includes('.') ? rounded.replace(/\.?0+$/, '') : rounded);
}

/** Adds thousands separators. It stays text, because a float would lose digits of a large sum. */
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
