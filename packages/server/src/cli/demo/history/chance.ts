/** Chance that is the same at every start: a demonstration that can be compared with yesterday's. */

export interface Chance {
  /** 0 to 1, 1 excluded. */
  next(): number;
  /** A whole number, both ends inside. */
  between(from: number, to: number): number;
  /** @throws RangeError on an empty list */
  pick<T>(items: readonly T[]): T;
  weighted<T>(items: readonly (readonly [weight: number, value: T])[]): T;
  /** A whole number around a mean, now above it and now below, by its fraction and by some percent. */
  around(mean: number): number;
}

/** By how much days differ for no reason. */
const SPREAD = 0.3;

/** Mulberry32: small, seeded, good enough for a demonstration. */
export function createChance(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  };
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick,
    weighted(items) {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of items) {
        left -= weight;
        if (left <= 0) return value;
      }
      return pick(items)[1];
    },
    around: (mean) => Math.floor(mean * (1 + SPREAD * (next() + next() - 1)) + next()),
  };
}
