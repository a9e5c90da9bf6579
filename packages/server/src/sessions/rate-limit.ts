/**
 * GCRA in memory: one number per key, the time at which its allowance is whole again. A node's own: events are shed to protect the node,
 * not sold by the piece.
 */
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Clock } from '../common/index.ts';

const MAX_KEYS = 50_000;

export interface RateLimit {
  /** Counts `count` at once, all or none. @returns 0, or after how many milliseconds they would pass */
  take(key: string, count: number): number;
}

/** Places that requests hold for a while: so many for each key, so many in all. */
export interface Places {
  /** @returns what gives the place back, or null when there is none */
  take(key: string): (() => void) | null;
}

export function createPlaces(perKey: number, total: number): Places {
  const held = new Map<string, number>();
  let all = 0;
  return {
    take(key) {
      const before = held.get(key) ?? 0;
      if (before >= perKey || all >= total) return null;
      held.set(key, before + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = (held.get(key) ?? 1) - 1;
        if (left === 0) held.delete(key);
        else held.set(key, left);
      };
    },
  };
}

/** @param perMinute allowed per minute, and at once */
export function createRateLimit(perMinute: number, clock: Clock): RateLimit {
  const interval = MINUTE_MS / perMinute;
  /** Key → when its allowance will be whole again; the one counted longest ago is first. */
  const wholeAt = new Map<string, number>();

  return {
    take(key, count) {
      const now = clock();
      const before = Math.max(wholeAt.get(key) ?? now, now);
      // More than a minute's worth at once could never pass: it may when nothing else was counted.
      const next = before + Math.min(count, perMinute) * interval;
      const wait = next - now - MINUTE_MS;
      if (wait > 0.001) return wait;
      wholeAt.delete(key);
      wholeAt.set(key, next);
      if (wholeAt.size > MAX_KEYS) for (const oldest of wholeAt.keys()) return forget(oldest);
      return 0;
    },
  };

  function forget(key: string): 0 {
    wholeAt.delete(key);
    return 0;
  }
}
