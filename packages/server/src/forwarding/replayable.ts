/** Which deliveries may be sent again, and why not the others. */
import type { Row } from '../database/index.ts';
import type { SkipReason } from '../destinations/index.ts';

/** What decides it, of a delivery, its destination and its conversion. */
export interface Replayable {
  readonly state: Row<'deliveries'>['state'];
  readonly reason: string | null;
  /** Of the destination, as what follows. */
  readonly deleted_at: number | null;
  readonly paused: number;
  readonly alarm: string | null;
  /** Requests that failed in a row. */
  readonly failures: number;
  /** Of the conversion; null: its personal data is deleted, or the conversion itself. */
  readonly payload_digest: string | null;
}

/** Skips that a change of settings may fix; the others say something about the conversion that stays so. */
const MENDABLE: readonly SkipReason[] = [
  ...(['no_mapping', 'turned_off', 'consent_denied', 'no_identifier'] as const),
  ...(['missing_value', 'original_not_forwarded'] as const),
];

/** Whether it waits for its next attempt, or behind another's: a replay makes its turn now. What is due anyway needs none. */
export const isPutOff = ({ state, failures }: Pick<Replayable, 'state' | 'failures'>): boolean =>
  state === 'retry' || (state === 'pending' && failures > 0);

/** @returns a sentence; null: no obstacle */
export function obstacle(delivery: Replayable): string | null {
  const { state, reason, deleted_at, paused, alarm, payload_digest } = delivery;
  if (isPutOff(delivery) && deleted_at === null) {
    if (alarm !== null) return 'Its destination needs attention. Fix that first.';
    return paused === 1 ? 'Its destination is paused. Resume it first.' : null;
  }
  if (state === 'skipped' && !MENDABLE.some((mendable) => mendable === reason))
    return 'It was skipped for a permanent reason.';
  if (state !== 'dead' && state !== 'unknown' && state !== 'skipped')
    return state === 'delivered' || state === 'accepted_async'
      ? 'The platform already has it.'
      : 'It is already being sent.';
  if (deleted_at !== null) return 'Its destination is deleted.';
  if (payload_digest === null) return `${EXPIRED}: the personal data that it needs has already been deleted.`;
  return null;
}

export const EXPIRED = 'data_expired';
