/** Money as decimal text, as it is on the wire: added, rounded and written by whole digits, never as a float. */

/** Decimal places of ISO 4217 where they are not two. `Intl` follows CLDR, which drops the cents of a dozen currencies. */
const PLACES: Readonly<Record<string, number>> = Object.fromEntries([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);
/** No amount of money needs more; a longer text would only cost time. */
const MAX_LENGTH = 80;

export interface Amount {
  readonly currency: string;
  /** Decimal text. */
  readonly value: string;
}

/** A decimal as an integer of `10 ** -scale` units. */
interface Scaled {
  readonly units: bigint;
  readonly scale: number;
}

export function placesOf(currency: string): number {
  return PLACES[currency] ?? 2;
}

function read(text: string): Scaled | null {
  const match = text.length > MAX_LENGTH ? null : /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const units = BigInt(whole + fraction);
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}

function write({ units, scale }: Scaled): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${units < 0n ? '-' : ''}${whole}${fraction}`;
}

function at(value: Scaled, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

/** The exact sum. Text that is no decimal counts as nothing. */
export function addDecimals(...texts: readonly string[]): string {
  const values = texts.map(read).filter((value) => value !== null);
  const scale = Math.max(0, ...values.map((value) => value.scale));
  return write({ units: values.reduce((total, value) => total + at(value, scale), 0n), scale });
}

/** Below, at or above zero as -1, 0, 1. */
export function compareDecimals(a: string, b: string): number {
  const difference = read(addDecimals(a, b.startsWith('-') ? b.slice(1) : `-${b}`))?.units ?? 0n;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Half away from zero, as invoices round. */
export function roundDecimal(text: string, places: number): string {
  const value = read(text);
  if (value === null) return text;
  if (value.scale <= places) return write({ units: at(value, places), scale: places });
  const divisor = 10n ** BigInt(value.scale - places);
  const half = value.units < 0n ? -divisor / 2n : divisor / 2n;
  return write({ units: (value.units + half) / divisor, scale: places });
}

/** `1234.5` in EUR as `€1,234.50`. What is no decimal is shown as it came. */
export function formatMoney({ value, currency }: Amount): string {
  if (read(value) === null) return `${value} ${currency}`.trim();
  const rounded = roundDecimal(value, placesOf(currency));
  const negative = rounded.startsWith('-') && /[1-9]/.test(rounded);
  const symbol = symbolOf(currency);
  // A symbol made of letters would run into the digits.
  const gap = /\p{L}$/u.test(symbol) ? '\u00a0' : '';
  return `${negative ? '−' : ''}${symbol}${gap}${grouped(rounded.replace('-', ''))}`;
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
