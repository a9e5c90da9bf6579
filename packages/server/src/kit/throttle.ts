/** Slows guessing: per address a bucket of failures that empties with time. Generous, for offices and shops share addresses. */
import { parseIp } from '@ghostlight/core';
import type { Clock } from './clock.ts';

/** So many failures at once, then one every second. */
const BURST = 60;
const DRAIN_MS = 1_000;
const MAX_ADDRESSES = 10_000;

export interface Throttle {
  /** How long this address has to wait before it may try again, in ms; 0: it may. */
  wait(ip: string): number;
  fail(ip: string): void;
}

export function createThrottle(clock: Clock): Throttle {
  /** Address → when its bucket will be empty. */
  const emptyAt = new Map<string, number>();

  return {
    wait(ip) {
      const excess = (emptyAt.get(networkOf(ip)) ?? 0) - clock() - (BURST - 1) * DRAIN_MS;
      return Math.max(0, excess);
    },
    fail(ip) {
      const key = networkOf(ip);
      const next = Math.max(emptyAt.get(key) ?? 0, clock()) + DRAIN_MS;
      // Moved to the end: whoever failed longest ago is forgotten first.
      emptyAt.delete(key);
      emptyAt.set(key, next);
      if (emptyAt.size > MAX_ADDRESSES)
        for (const oldest of emptyAt.keys()) return void emptyAt.delete(oldest);
    },
  };
}

/** One customer commonly holds a whole IPv6 /64: counting single addresses there would count nothing. */
export function networkOf(ip: string): string {
  const address = parseIp(ip);
  return address?.version === 6 ? `${address.value >> 64n}::/64` : ip;
}
