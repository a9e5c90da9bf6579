/** A sleep that can be ended, with a shortest time that gathers those who end it. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Wake {
  up(): void;
  /** Resolves `leastMs` after the first `up` since the last time, or after `mostMs`. */
  after(times: { readonly mostMs: number; readonly leastMs: number }): Promise<void>;
}

export function createWake(): Wake {
  let isUp = false;
  let rouse: (() => void) | undefined;
  return {
    up() {
      isUp = true;
      rouse?.();
    },
    async after({ mostMs, leastMs }) {
      if (!isUp) {
        const timer = new AbortController();
        const roused = new Promise<void>((resolve) => {
          rouse = resolve;
        });
        await Promise.race([
          roused,
          sleep(mostMs, undefined, { signal: timer.signal }).catch(() => undefined),
        ]);
        timer.abort();
        rouse = undefined;
      }
      if (isUp) await sleep(leastMs);
      isUp = false;
    },
  };
}
