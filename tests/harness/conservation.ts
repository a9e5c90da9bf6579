/** The law that every end-to-end test ends with: nothing lost, nothing doubled, everything accounted for. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestService } from './service.ts';

export interface Accounts {
  received: number;
  kept: number;
  dropped: number;
  rejected: number;
  duplicate: number;
  stored: number;
  unstorable: number;
  lateDuplicate: number;
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
    lateDuplicate: sum('ghostlight_hits_late_duplicate_total'),
  };
}

/** Waits until the spool is empty, then asserts both halves of the law. Returns the final accounts. */
export async function expectConservation(service: TestService, drainMs = 20_000): Promise<Accounts> {
  const deadline = Date.now() + drainMs;
  let now = await accounts(service);
  while (now.kept !== now.stored + now.unstorable + now.lateDuplicate && Date.now() < deadline) {
    await sleep(100);
    now = await accounts(service);
  }
  const { received, kept, dropped, rejected, duplicate, stored, unstorable, lateDuplicate } = now;
  assert.equal(
    received,
    kept + dropped + rejected + duplicate,
    `something is unaccounted for: ${JSON.stringify(now)}`,
  );
  assert.equal(
    kept,
    stored + unstorable + lateDuplicate,
    `what was kept is not all stored: ${JSON.stringify(now)}`,
  );
  return now;
}
