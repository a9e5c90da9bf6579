import type { ReactNode } from 'react';
import { counted } from '../../format/names.ts';
import { ago, instant } from '../../format/time.ts';
import { Time, useNow } from '../../parts/Time.tsx';
import './lines.css';
import type { Destination } from '../destinations/api.ts';
import type { Delivery } from './api.ts';
import { skipName } from './messages.ts';

interface OutcomeProps {
  item: Delivery;
  /** Undefined: deleted, or not loaded. */
  destination: Destination | undefined;
}

/** The reason of the state, and beside it the next step. */
export function Outcome({ item, destination }: OutcomeProps) {
  const { status, attempts } = item;
  const first = reasonOf(item, destination);
  const tries = attempts > 1 ? counted(attempts, 'attempt') : '';
  if (status === 'delivered' || status === 'dead' || status === 'unknown')
    return <Lines first={first} second={tries} />;
  const isAhead =
    status === 'retry' && item.next_at !== null && (destination?.state ?? 'active') === 'active';
  if (!isAhead) return <Lines first={first} second="" />;
  return (
    <Lines
      first={first}
      second={
        <>
          Next try <NextAt value={nextOf(item, destination)} />
        </>
      }
    />
  );
}

/** Why a delivery is in its state, in one line; empty where there is nothing to say. */
export function reasonOf(
  { status, reason, message }: Pick<Delivery, 'status' | 'reason' | 'message'>,
  destination: Pick<Destination, 'state'> | undefined,
): string {
  switch (status) {
    case 'delivered':
      return message ?? '';
    case 'skipped':
      return reason === null ? (message ?? '') : skipName(reason);
    case 'accepted_async':
      return message ?? 'Result pending';
    case 'dead':
    case 'unknown':
      return message ?? reason ?? '';
    // A pause does not hold back a delivery that is being sent.
    case 'sending':
      return 'Sending';
    default:
      if (destination?.state === 'alarm') return 'The destination needs attention';
      if (destination?.state === 'paused') return 'The destination is paused';
      return message ?? 'Queued';
  }
}

function Lines({ first, second }: { first: string; second: ReactNode }) {
  return (
    <span className="outcome">
      {first !== '' && (
        <span className="cell-clip" title={first}>
          {first}
        </span>
      )}
      {second !== '' && <span className="outcome-next">{second}</span>}
    </span>
  );
}

/** When a delivery is tried next: not before its destination is tried again. A result is asked for whatever its state. */
export function nextOf(
  { status, next_at: at }: Pick<Delivery, 'status' | 'next_at'>,
  destination: Pick<Destination, 'health'> | undefined,
): string | null {
  const open = destination?.health.not_before ?? null;
  if (status === 'accepted_async') return at;
  return at !== null && open !== null && Date.parse(open) > Date.parse(at) ? open : at;
}

/** The time of the next attempt. An overdue one waits for other events, a pause or the platform. */
export function NextAt({ value }: { value: string | null }) {
  const now = useNow();
  const ms = instant(value);
  if (ms === null || ago(ms, now) === 'just now') return 'now';
  return ms < now ? 'as soon as possible' : <Time value={value} form="ago" />;
}
