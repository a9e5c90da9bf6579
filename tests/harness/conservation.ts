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

/**
 * The law for browser events, over both stages: waits until both spools are empty, then asserts that nothing is unaccounted for. Returns
 * the final samples.
 */
export async function expectEventConservation(
  service: TestService,
  drainMs = 30_000,
): Promise<Map<string, number>> {
  const deadline = Date.now() + drainMs;
  let samples = await service.metrics();
  const get = (name: string) => {
    const full = `ghostlight_events_${name}`;
    return [...samples]
      .filter(([key]) => key === full || key.startsWith(`${full}{`))
      .reduce((sum, [, value]) => sum + value, 0);
  };
  const drained = () =>
    get('pending_rows') === 0 && get('kept_total') === get('stored_total{stage="database"}');
  while (!drained() && Date.now() < deadline) {
    await sleep(50);
    samples = await service.metrics();
  }
  assert.equal(get('pending_rows'), 0, 'events still wait in a spool');
  assert.equal(get('kept_total'), get('stored_total{stage="database"}'), 'not all that was kept is recorded');
  assert.equal(get('unstorable_total'), 0, 'an event could not be stored');
  assert.equal(
    get('received_total{stage="database"}'),
    get('kept_total') + get('rejected_total') + get('duplicate_total{stage="database"}'),
    'events are unaccounted for before the database',
  );
  assert.equal(
    get('received_total{stage="warehouse"}'),
    get('stored_total{stage="warehouse"}') +
      get('dropped_total') +
      get('left_out_total') +
      get('duplicate_total{stage="warehouse"}'),
    'events are unaccounted for between database and warehouse',
  );
  return samples;
}
