/** The last few different samples (user agents, paths) of each signal: bounded in number, length and signals. */
import { maskText } from '../common/index.ts';

const MAX_SAMPLES = 5;
const MAX_LENGTH = 200;
const MAX_SIGNALS = 500;

export interface RecentSamples {
  add(key: string, sample: string): void;
  /** A JSON array, newest first; null when there is none. */
  json(key: string): string | null;
}

export function createRecentSamples(): RecentSamples {
  const byKey = new Map<string, string[]>();
  return {
    add(key, sample) {
      // NUL is the one character that PostgreSQL's text can't hold.
      const cut = maskText(sample.slice(0, MAX_LENGTH).toWellFormed().replaceAll('\0', '')).slice(
        0,
        MAX_LENGTH,
      );
      const before = byKey.get(key) ?? [];
      byKey.delete(key);
      byKey.set(key, [cut, ...before.filter((known) => known !== cut)].slice(0, MAX_SAMPLES));
      if (byKey.size > MAX_SIGNALS) for (const oldest of byKey.keys()) return void byKey.delete(oldest);
    },
    json(key) {
      const samples = byKey.get(key);
      return samples === undefined ? null : JSON.stringify(samples);
    },
  };
}
