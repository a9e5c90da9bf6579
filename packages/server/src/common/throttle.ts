/** Slows guessing: per address a bucket of failures that empties with time. Generous, for offices and shops share addresses. */
import { parseIp } from '@ghostlight/core';
import type { Clock } from './ports.ts';

const MAX_KEYS = 10_000;

export interface ThrottleOptions {
  /** So many failures at once … */
  readonly burst?: number;
  /** … then one in this time, in ms. */
  readonly drainMs?: number;
}

export interface Throttle {
  /** How long this address (or whatever is counted by) has to wait before it may try again, in ms; 0: it may. */
  wait(key: string): number;
  fail(key: string): void;
  /** Takes one failure back: it was counted before it was known to be none, so that a thousand attempts at once are a thousand. */
  forgive(key: string): void;
}

export function createThrottle(
  clock: Clock,
  { burst = 60, drainMs = 1_000 }: ThrottleOptions = {},
): Throttle {
  /** Key → when its bucket will be empty. */
  const emptyAt = new Map<string, number>();

  return {
    wait(key) {
      const excess = (emptyAt.get(networkOf(key)) ?? 0) - clock() - (burst - 1) * drainMs;
      return Math.max(0, excess);
    },
    fail(key) {
      const network = networkOf(key);
      const next = Math.max(emptyAt.get(network) ?? 0, clock()) + drainMs;
      // Moved to the end: the entry that failed longest ago is dropped first.
      emptyAt.delete(network);
      emptyAt.set(network, next);
      if (emptyAt.size > MAX_KEYS) for (const oldest of emptyAt.keys()) return void emptyAt.delete(oldest);
    },
    forgive(key) {
      const network = networkOf(key);
      const at = emptyAt.get(network);
      if (at === undefined) return;
      // Nothing is left of an empty bucket: when the machine's clock is set back, who never failed would wait for it to catch up.
      if (at - drainMs <= clock()) emptyAt.delete(network);
      else emptyAt.set(network, at - drainMs);
    },
  };
}

/** One customer commonly holds a whole IPv6 /64: counting single addresses there would count nothing. */
export function networkOf(ip: string): string {
  const address = parseIp(ip);
  return address?.version === 6 ? `${address.value >> 64n}::/64` : ip;
}
