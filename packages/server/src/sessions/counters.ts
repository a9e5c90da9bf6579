/**
 * What was refused: events by reason, which ride into the spool's counters with the next entry that is written (an unauthenticated request alone
 * writes nothing), and whole requests by reason, which are this process's.
 */

/** Events that were read and not taken; part of the conservation law. */
export const REJECT_REASONS = ['invalid', 'mixed_properties', 'unknown_property', 'foreign_origin'] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Requests that were answered before their events were looked at, or taken. */
export const REFUSALS = [
  'busy',
  'spool_full',
  'database_away',
  'address_limit',
  'property_limit',
  'too_large',
  'timeout',
  'malformed',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export class EventCounters {
  #rejected: Partial<Record<RejectReason, number>> = {};
  readonly refused = new Map<Refusal, number>(REFUSALS.map((reason) => [reason, 0]));

  reject(reason: RejectReason, count: number): void {
    if (count > 0) this.#rejected[reason] = (this.#rejected[reason] ?? 0) + count;
  }

  refuse(reason: Refusal): void {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  }

  /** What has gathered; it is the caller's to write, or to give back by `reject`. */
  take(): Readonly<Record<string, number>> {
    const rejected = this.#rejected;
    this.#rejected = {};
    return rejected;
  }

  giveBack(rejected: Readonly<Record<string, number>>): void {
    for (const reason of REJECT_REASONS) this.reject(reason, rejected[reason] ?? 0);
  }
}
