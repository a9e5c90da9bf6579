import { counted } from '../../format/names.ts';
import { ago, instant } from '../../format/time.ts';
import { Time, useNow } from '../../parts/Time.tsx';
import type { Destination } from '../destinations/api.ts';
import type { Delivery } from './api.ts';
import { skipName } from './messages.ts';

interface OutcomeProps {
  item: Delivery;
  /** Undefined: deleted, or not loaded. */
  destination: Destination | undefined;
}

/** One line for the reason of the state, one for the next step. */
export function Outcome({ item, destination }: OutcomeProps) {
  const { status, reason, message, attempts } = item;
  const tries = attempts > 1 ? counted(attempts, 'attempt') : '';
  switch (status) {
    case 'delivered':
      return <Lines first={message ?? ''} second={tries} />;
    case 'skipped':
      return <Lines first={reason === null ? (message ?? '') : skipName(reason)} second="" />;
    case 'accepted_async':
      return <Lines first={message ?? 'Accepted; the result comes later'} second="" />;
    case 'dead':
    case 'unknown':
      return <Lines first={message ?? reason ?? ''} second={tries} />;
    default:
      // A pause does not hold back a delivery that is being sent.
      if (status === 'sending') return <Lines first="Sending" second="" />;
      if (destination?.state === 'alarm') return <Lines first="The destination needs attention" second="" />;
      if (destination?.state === 'paused') return <Lines first="The destination is paused" second="" />;
      return (
        <>
          <span className="cell-clip">{message ?? 'Queued'}</span>
          {status === 'retry' && item.next_at !== null && (
            <span className="cell-detail">
              {tries === '' ? '1 attempt' : tries} · next <NextAt value={nextOf(item, destination)} />
            </span>
          )}
        </>
      );
  }
}

function Lines({ first, second }: { first: string; second: string }) {
  return (
    <>
      <span className="cell-clip" title={first}>
        {first}
      </span>
      {second !== '' && <span className="cell-detail">{second}</span>}
    </>
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
