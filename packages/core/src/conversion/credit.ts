/** How other models would divide the credit of a conversion, computed when a report is read. */
import { DAY_MS } from '../time.ts';
import { ATTRIBUTION_MODEL, inOrder } from './attribute.ts';
import { sharesOf } from './money.ts';
import type { Touch } from './touch.ts';

export const CREDIT_MODELS = [
  ATTRIBUTION_MODEL,
  'last_paid_click',
  'first_click',
  'linear',
  'position_based',
  'time_decay',
] as const;
export type CreditModel = (typeof CREDIT_MODELS)[number];

export type CreditedTouch = Pick<Touch, 'id' | 'at' | 'channel' | 'paid'>;

/**
 * Divides 1 among touches. Direct ones get nothing as long as there is another (GA4's rule): a bookmark brings no new visitor.
 *
 * @param touches of the conversion's window, in any order
 * @returns touch id → decimal text of at most 12 fraction digits, oldest first, touches without credit left out. The shares sum to
 *   exactly 1; empty for no touches.
 */
export function credit(touches: readonly CreditedTouch[], model: CreditModel): Map<string, string> {
  const ordered = inOrder(touches);
  const brought = ordered.filter(({ channel }) => channel !== 'direct');
  const counted = brought.length > 0 ? brought : ordered;
  if (counted.length === 0) return new Map();
  const shares = sharesOf(weightsOf(counted, model));
  const credited = counted.map(({ id }, index) => [id, shares[index] ?? '0'] as const);
  return new Map(credited.filter(([, share]) => share !== '0'));
}

function weightsOf(touches: readonly CreditedTouch[], model: CreditModel): bigint[] {
  const last = touches.length - 1;
  const only = (chosen: number): bigint[] => touches.map((_, index) => (index === chosen ? 1n : 0n));
  switch (model) {
    case 'last_paid_click': {
      const paid = touches.findLastIndex((touch) => touch.paid);
      return only(paid === -1 ? last : paid);
    }
    case 'last_click':
      return only(last);
    case 'first_click':
      return only(0);
    case 'linear':
      return touches.map(() => 1n);
    case 'position_based':
      return positions(touches.length);
    case 'time_decay':
      return decays(touches);
  }
}

/** 40% each for first and last, 20% for those between; without any between, half and half. */
function positions(count: number): bigint[] {
  const between = BigInt(count - 2);
  if (between <= 0n) return Array.from({ length: count }, () => 1n);
  return Array.from({ length: count }, (_, index) =>
    index === 0 || index === count - 1 ? 2n * between : 1n,
  );
}

const HALF_LIFE_MS = 7 * DAY_MS;

/** Half for every seven days before the latest touch. The conversion's own time would scale all alike, so it isn't needed. */
function decays(touches: readonly CreditedTouch[]): bigint[] {
  const latest = Math.max(...touches.map(({ at }) => at));
  return touches.map(({ at }) => halved(BigInt(Math.round(latest - at))));
}

const PRECISION = 96n;
const ONE = 1n << PRECISION;
/** Of the exponent's fraction: 2^-32 half-lives are a seventh of a millisecond. */
const FRACTION_BITS = 32n;

/**
 * 2^(-age / half-life) as a fixed-point number of 96 bits. In integers, because Math.pow may differ in its last digit between engines, and
 * a share that is computed again must be the same.
 */
function halved(ageMs: bigint): bigint {
  const exponent = (ageMs << FRACTION_BITS) / BigInt(HALF_LIFE_MS);
  let weight = ONE >> (exponent >> FRACTION_BITS);
  let root = ONE >> 1n;
  for (let bit = FRACTION_BITS - 1n; bit >= 0n; bit--) {
    // 2^(-1/2), 2^(-1/4), …: one for each bit of the fraction.
    root = squareRoot(root << PRECISION);
    if (((exponent >> bit) & 1n) === 1n) weight = (weight * root) >> PRECISION;
  }
  return weight;
}

/** Newton's method. @returns the root's integer part */
function squareRoot(value: bigint): bigint {
  let guess = 1n << ((BigInt(value.toString(2).length) >> 1n) + 1n);
  while (true) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
