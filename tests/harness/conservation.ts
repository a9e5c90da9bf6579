/** The law that every end-to-end test ends with: nothing lost, nothing doubled, everything accounted for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestService } from './service.ts';

export interface Accounts {
  received: number;
  kept: number;
  dropped: number;
  rejected: number;
  duplicate: number;
  stored: number;
  unstorable: number;
}

/** The counters of the law, summed over endpoints and labels. */
export async function accounts(service: TestService): Promise<Accounts> {
  const samples = await service.metrics();
  const sum = (name: string) =>
    [...samples]
      .filter(([key]) => key === name || key.startsWith(`${name}{`))
      .reduce((total, [, value]) => total + value, 0);
  return {
    received: sum('ghostlight_hits_received_total'),
    kept: sum('ghostlight_hits_kept_total'),
    dropped: sum('ghostlight_hits_dropped_total'),
    rejected: sum('ghostlight_hits_rejected_total'),
    duplicate: sum('ghostlight_hits_duplicate_total'),
    stored: sum('ghostlight_hits_stored_total'),
    unstorable: sum('ghostlight_hits_unstorable_total'),
  };
}

/** Waits until the spool is empty, then asserts both halves of the law. Returns the final accounts. */
export async function expectConservation(service: TestService, drainMs = 20_000): Promise<Accounts> {
  const deadline = Date.now() + drainMs;
  let now = await accounts(service);
  while (now.kept !== now.stored + now.unstorable && Date.now() < deadline) {
    await sleep(100);
    now = await accounts(service);
  }
  expect(now.received, JSON.stringify(now)).toBe(now.kept + now.dropped + now.rejected + now.duplicate);
  expect(now.kept, JSON.stringify(now)).toBe(now.stored + now.unstorable);
  return now;
}
