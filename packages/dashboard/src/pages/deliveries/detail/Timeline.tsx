import type { Attempt, DeliveryDetail } from '../../../features/deliveries/api.ts';
import { isFinal, skipName, statusWords, verdictWords } from '../../../features/deliveries/messages.ts';
import { NextAt, nextOf } from '../../../features/deliveries/Outcome.tsx';
import type { Destination } from '../../../features/destinations/api.ts';
import { visible } from '../../../format/visible.ts';
import { Sign, type Tone } from '../../../parts/Sign.tsx';
import { Time } from '../../../parts/Time.tsx';

interface WayProps {
  item: DeliveryDetail;
  /** Undefined: deleted, or not loaded. */
  destination: Destination | undefined;
  /** The message that is above the timeline, which need not repeat it. An attempt does not repeat that of the one before either. */
  said: string | null;
}

export function Way({ item, destination, said }: WayProps) {
  return (
    <ol className="delivery-way">
      {wayOf({ ...item, next_at: nextOf(item, destination) }, destination?.state ?? 'active').map(
        ({ key, tone, title, at, detail, message, isAhead }, index, stops) => (
          <li key={key} data-ahead={isAhead}>
            <Sign tone={tone} />
            <div>
              <p className="delivery-way-title">{title}</p>
              <p className="quiet">
                {at !== null && (isAhead ? <NextAt value={at} /> : <Time value={at} form="date" />)}
                {at !== null && detail !== '' && ' · '}
                {detail}
              </p>
              {message !== '' && message !== said && message !== stops[index - 1]?.message && (
                <p className="break">{visible(message)}</p>
              )}
            </div>
          </li>
        ),
      )}
    </ol>
  );
}

/** An entry of the timeline. */
interface Stop {
  readonly key: string;
  readonly tone: Tone;
  readonly title: string;
  /** Null: in the future, or unknown. */
  readonly at: string | null;
  /** Beside the time: `HTTP 200 · 120 ms`. */
  readonly detail: string;
  readonly message: string;
  readonly isAhead: boolean;
}

/** Earliest first: received, each attempt, and how it ended or what comes next. @param destinationState whether it is sent to now */
export function wayOf(item: DeliveryDetail, destinationState: Destination['state']): readonly Stop[] {
  const attempts = [...item.history].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const forgotten = item.attempts - attempts.length;
  return [
    stop('received', 'good', 'Received and matched', { at: item.created_at }),
    ...(forgotten > 0
      ? [stop('forgotten', 'unknown', `${forgotten} earlier attempts are no longer stored`, {})]
      : []),
    ...attempts.map((attempt, index) => {
      const { tone, title } = verdictWords(attempt.verdict);
      return stop(`${index} ${attempt.at}`, tone, title, {
        at: attempt.at,
        detail: [
          attempt.http_status === null ? 'no answer' : `HTTP ${attempt.http_status}`,
          attempt.ms === null || attempt.ms === 0 ? '' : `${attempt.ms.toLocaleString('en')} ms`,
        ]
          .filter((part) => part !== '')
          .join(' · '),
        message: attempt.message ?? '',
      });
    }),
    ...endOf(item, attempts.at(-1), HELD[destinationState]),
  ];
}

/** What a delivery waits for, instead of its time. Null: for nothing but its time. */
const HELD: Readonly<Record<Destination['state'], string | null>> = {
  active: null,
  paused: 'when the destination is resumed',
  alarm: 'when the destination is fixed',
};

function endOf(item: DeliveryDetail, last: Attempt | undefined, held: string | null): Stop[] {
  const { status, reason, message, settled_at: settledAt, next_at: nextAt } = item;
  const { tone } = statusWords(status);
  const ahead = (title: string, at: string | null) => [stop('next', tone, title, { at, isAhead: true })];
  const sent = (title: string) =>
    held === null ? ahead(title, nextAt) : [stop('next', tone, title, { detail: held, isAhead: true })];
  const end = (title: string) => [
    stop('end', tone, title, { at: settledAt, message: message === last?.message ? '' : (message ?? '') }),
  ];
  switch (status) {
    case 'pending':
      return sent(last === undefined ? 'Queued' : 'Waiting to retry');
    case 'retry':
      return sent('Next attempt');
    case 'sending':
      return ahead('Sending', null);
    case 'accepted_async':
      return ahead('Asking the platform for the outcome', nextAt);
    case 'skipped':
      return end(reason === null ? 'Skipped' : `Skipped: ${skipName(reason)}`);
    // The last attempt is the end already, unless the delivery ended without one: too old, decided later, or cut off by a crash.
    case 'unknown':
      return last?.verdict === 'unknown' ? [] : end('No answer, may have arrived');
    case 'dead':
      return last !== undefined && isFinal(last.verdict)
        ? []
        : end(reason === 'gave_up' ? 'Given up' : 'Failed');
    case 'delivered':
      return last?.verdict === 'delivered' ? [] : end('Delivered');
  }
}

function stop(key: string, tone: Tone, title: string, rest: Partial<Stop>): Stop {
  return { key, tone, title, at: null, detail: '', message: '', isAhead: false, ...rest };
}
