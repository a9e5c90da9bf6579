/** What the arrival of events amounts to. */
import type { EventsStatus } from './types.ts';

const QUIET_MS = 86_400_000;

export type CheckState = 'waiting' | 'refused' | 'active' | 'stale';

/** @param now epoch milliseconds */
export function checkState(
  { last_event_at, origins }: Pick<EventsStatus, 'last_event_at' | 'origins'>,
  now: number,
): CheckState {
  if (last_event_at === null) return origins.some(({ refused }) => refused > 0) ? 'refused' : 'waiting';
  return now - Date.parse(last_event_at) > QUIET_MS ? 'stale' : 'active';
}
