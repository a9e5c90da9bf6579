/**
 * Requests that a proxy forwarded though TRUST_PROXY names none: all clients of that proxy count as one address, so one of them uses up
 * what all may do. Counted in memory: the finding ends with the start that sets TRUST_PROXY.
 */
import type { Clock, Log } from '../common/index.ts';

export interface UntrustedProxy {
  /** A request had X-Forwarded-For. */
  note(): void;
  /** Since this node's start; null: none. Epoch milliseconds. */
  seen(): { readonly count: number; readonly lastAt: number } | null;
}

export function createUntrustedProxy({ clock, log }: { clock: Clock; log: Log }): UntrustedProxy {
  let seen: { count: number; lastAt: number } | null = null;
  return {
    note() {
      if (seen === null)
        log.warn(
          {},
          'requests carry X-Forwarded-For, but TRUST_PROXY is empty: every client of that proxy counts as one address; set TRUST_PROXY to the proxy’s address or to the number of proxies',
        );
      seen = { count: (seen?.count ?? 0) + 1, lastAt: clock() };
    },
    seen: () => seen,
  };
}
