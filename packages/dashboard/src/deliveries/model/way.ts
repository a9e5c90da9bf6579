/** The way of a delivery through time. */
import type { Tone } from '../../parts/Sign.tsx';
import type { DeliveryDetail } from '../types.ts';
import { skipName, statusWords, verdictWords } from '../words.ts';

export interface Stop {
  readonly key: string;
  readonly tone: Tone;
  readonly title: string;
  /** Null: it lies ahead, or nobody knows. */
  readonly at: string | null;
  /** Beside the time: `HTTP 200 · 120 ms`. */
  readonly detail: string;
  readonly message: string;
  readonly isAhead: boolean;
}

/** Earliest first: received, each attempt, and how it ended or what comes next. */
export function wayOf(item: DeliveryDetail): readonly Stop[] {
  const attempts = [...item.history].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const forgotten = item.attempts - attempts.length;
  return [
    stop('received', 'good', 'Received and matched', { at: item.created_at }),
    ...(forgotten > 0
      ? [stop('forgotten', 'unknown', `${forgotten} earlier attempts are not kept`, {})]
      : []),
    ...attempts.map((attempt, index) => {
      const { tone, title } = verdictWords(attempt.verdict);
      return stop(`${index} ${attempt.at}`, tone, title, {
        at: attempt.at,
        detail: [
          attempt.http_status === null ? 'no answer' : `HTTP ${attempt.http_status}`,
          attempt.ms === null ? '' : `${attempt.ms.toLocaleString('en')} ms`,
        ]
          .filter((part) => part !== '')
          .join(' · '),
        message: attempt.message ?? '',
      });
    }),
    ...endOf(item),
  ];
}

function endOf({ status, reason, message, settled_at, next_at, history }: DeliveryDetail): Stop[] {
  const { tone } = statusWords(status);
  switch (status) {
    case 'pending':
      return [
        stop('next', tone, history.length === 0 ? 'Waits for its turn' : 'Waits to be sent again', {
          at: next_at,
          isAhead: true,
        }),
      ];
    case 'retry':
      return [stop('next', tone, 'Next attempt', { at: next_at, isAhead: true })];
    case 'sending':
      return [stop('next', tone, 'On its way', { isAhead: true })];
    case 'accepted_async':
      return [stop('next', tone, 'The platform is asked what became of it', { at: next_at, isAhead: true })];
    case 'skipped':
      return [
        stop('end', tone, `Skipped: ${reason === null ? '' : skipName(reason)}`, {
          at: settled_at,
          message: message ?? '',
        }),
      ];
    case 'unknown':
      return [
        stop('end', tone, 'It may have arrived; nobody answered', { at: settled_at, message: message ?? '' }),
      ];
    case 'dead':
      // Given up without a last attempt: the day of tries is over, or the event has become too old meanwhile.
      return reason === 'gave_up'
        ? [stop('end', tone, 'Given up', { at: settled_at, message: message ?? '' })]
        : [];
    case 'delivered':
      // Of an asynchronous platform: the attempt only says that it was taken.
      return history.some(({ verdict }) => verdict === 'delivered')
        ? []
        : [stop('end', tone, 'Delivered', { at: settled_at, message: message ?? '' })];
  }
}

function stop(key: string, tone: Tone, title: string, rest: Partial<Stop>): Stop {
  return { key, tone, title, at: null, detail: '', message: '', isAhead: false, ...rest };
}
