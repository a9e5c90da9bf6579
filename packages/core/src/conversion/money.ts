/**
 * Money as decimal text: `'19.99'`, `'-3'`, `'0'`. Canonical (no sign but a minus, no exponent, no zeros that say nothing), so equal
 * amounts are equal texts. Arithmetic is exact, on BigInt: a float can't hold 0.1.
 */

export const DECIMAL_LIMITS = { integerDigits: 20, fractionDigits: 10 } as const;

const TOO_LONG = `Must have at most ${DECIMAL_LIMITS.integerDigits} digits before and ${DECIMAL_LIMITS.fractionDigits} after the point.`;
const NO_NUMBER =
  'Must be a number such as 19.99: digits and a point, without thousands separator or currency sign.';
const INEXACT = 'Is too large for JSON to carry exactly as a number: send it as text.';

/** Longest text that is looked at; the zeros of a very careful sender fit. */
const MAX_TEXT = 100;
const NUMBER = /^([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,3}))?$/;

export type DecimalReading =
  | { readonly decimal: string; readonly rounded: boolean }
  /** A sentence that says what to send instead. */
  | { readonly message: string };

/**
 * Reads what senders write for an amount. A text is taken unchanged or refused. A JSON number went through a float at the sender's
 * already: its 30.300000000000004 is rounded to 10 digits, because refusing it would lose an order over the sender's arithmetic.
 */
export function readDecimal(value: number | string): DecimalReading {
  // Two different amounts or ids beyond 2^53 arrive as the same number.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return { message: INEXACT };
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return { message: TOO_LONG };
  const text = String(value).trim();
  if (text.length > MAX_TEXT) return { message: TOO_LONG };
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (integer === '' && fraction === '') return { message: NO_NUMBER };
  let { units, scale } = shifted(BigInt(integer + fraction), fraction.length - Number(exponent));
  let rounded = false;
  if (scale > DECIMAL_LIMITS.fractionDigits) {
    if (typeof value === 'string') return { message: TOO_LONG };
    units = roundHalfUp(units, 10n ** BigInt(scale - DECIMAL_LIMITS.fractionDigits));
    scale = DECIMAL_LIMITS.fractionDigits;
    rounded = true;
  }
  if (units >= 10n ** BigInt(DECIMAL_LIMITS.integerDigits + scale)) return { message: TOO_LONG };
  return { decimal: write(sign === '-' ? -units : units, scale), rounded };
}

/** @returns the canonical text of an amount, or null for what is none (see `readDecimal` for why) */
export function decimalOf(value: number | string): string | null {
  const reading = readDecimal(value);
  return 'decimal' in reading ? reading.decimal : null;
}

/** @throws RangeError for a text that is no decimal */
export function addDecimal(a: string, b: string): string {
  const { left, right, scale } = aligned(a, b);
  return write(left + right, scale);
}

/** @throws RangeError for a text that is no decimal */
export function subtractDecimal(a: string, b: string): string {
  const { left, right, scale } = aligned(a, b);
  return write(left - right, scale);
}

/** Exactly, with as many digits after the point as both have. @throws RangeError for a text that is no decimal */
export function multiplyDecimal(a: string, b: string): string {
  const [left, right] = [parse(a), parse(b)];
  return write(left.units * right.units, left.scale + right.scale);
}

/** @throws RangeError for a text that is no decimal */
export function compareDecimal(a: string, b: string): -1 | 0 | 1 {
  const { left, right } = aligned(a, b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * Divides an amount by shares. The parts sum to the amount exactly: what rounding leaves goes, one smallest unit each, to the parts
 * that lost most by it, the earlier first.
 *
 * @param shares decimals ≥ 0, together more than 0; usually those of `credit`
 * @param fractionDigits of the parts, e.g. the currency's exponent; more where the amount itself has more
 * @throws RangeError for a text that is no decimal, and for shares that nothing can be divided by
 */
export function multiplyByShares(
  amount: string,
  shares: readonly string[],
  fractionDigits: number = DECIMAL_LIMITS.fractionDigits,
): string[] {
  const total = parse(amount);
  const scale = Math.max(fractionDigits, total.scale);
  const units = total.units * 10n ** BigInt(scale - total.scale);
  const parsed = shares.map(parse);
  const shareScale = parsed.reduce((most, share) => Math.max(most, share.scale), 0);
  const weights = parsed.map((share) => share.units * 10n ** BigInt(shareScale - share.scale));
  const parts = apportion(units < 0n ? -units : units, weights);
  return parts.map((part) => write(units < 0n ? -part : part, scale));
}

/** 1 divided by weights, as decimals of 12 fraction digits that sum to exactly 1. Throws as `multiplyByShares` does. */
export function sharesOf(weights: readonly bigint[]): string[] {
  return apportion(10n ** BigInt(SHARE_DIGITS), weights).map((part) => write(part, SHARE_DIGITS));
}

const SHARE_DIGITS = 12;

/** Largest remainder (Hamilton). @param total ≥ 0 */
function apportion(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (sum <= 0n || weights.some((weight) => weight < 0n)) throw new RangeError('no shares to divide by');
  const parts = weights.map((weight) => (total * weight) / sum);
  const left = Number(total - parts.reduce((all, part) => all + part, 0n));
  const lost = weights.map((weight, index) => ({ index, remainder: (total * weight) % sum }));
  lost.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of lost.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

interface Parsed {
  readonly units: bigint;
  /** Digits of `units` after the point. */
  readonly scale: number;
}

function parse(decimal: string): Parsed {
  const [, integer, fraction = ''] = /^(-?[0-9]+)(?:\.([0-9]+))?$/.exec(decimal) ?? [];
  if (integer === undefined) throw new RangeError('not a decimal');
  return { units: BigInt(integer + fraction), scale: fraction.length };
}

function aligned(a: string, b: string): { left: bigint; right: bigint; scale: number } {
  const left = parse(a);
  const right = parse(b);
  const scale = Math.max(left.scale, right.scale);
  return {
    left: left.units * 10n ** BigInt(scale - left.scale),
    right: right.units * 10n ** BigInt(scale - right.scale),
    scale,
  };
}

/** Without zeros at the end of the fraction, and without a negative scale. */
function shifted(units: bigint, scale: number): Parsed {
  if (units === 0n) return { units, scale: 0 };
  if (scale < 0) return { units: units * 10n ** BigInt(-scale), scale: 0 };
  let [rest, digits] = [units, scale];
  while (digits > 0 && rest % 10n === 0n) [rest, digits] = [rest / 10n, digits - 1];
  return { units: rest, scale: digits };
}

const roundHalfUp = (units: bigint, divisor: bigint): bigint => (units + divisor / 2n) / divisor;

function write(units: bigint, scale: number): string {
  const magnitude = shifted(units < 0n ? -units : units, scale);
  const digits = String(magnitude.units).padStart(magnitude.scale + 1, '0');
  const point = digits.length - magnitude.scale;
  const text = magnitude.scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return units < 0n ? `-${text}` : text;
}
