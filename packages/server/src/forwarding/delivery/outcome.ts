/** What a verdict makes of a delivery: the state machine, as one table. Pure. */
import { randomUUID } from 'node:crypto';
import { SKIP_REASONS, type Skip, type Verdict } from '../../destinations/index.ts';
import type { DeliveryRow } from './ports.ts';
import type { Attempt, HistoryEntry, Judgement, Outcome } from './records.ts';
import { askedMs, backOffMs, giveUpAt } from './timing.ts';

const MAX_HISTORY = 10;
const MAX_MESSAGE = 500;
/** The one failure of a server that says that nothing was done; any other leaves that open. */
const UNTOUCHED = 503;

/** Everything that a judgement needs besides the verdict. */
export interface Attempted {
  readonly row: DeliveryRow;
  readonly attempt: Attempt;
  readonly occurredAt: number;
  readonly maxAgeMs: number | null;
  readonly guarantee: DeliveryRow['guarantee'];
  readonly name: string | null;
  readonly notes: readonly string[];
  /** Of the request, and the label of this event's half should it have to be halved. */
  readonly batch: number;
  readonly half: string;
  /** When a person last changed the destination. */
  readonly changedAt: number;
  /** The destination waits so long anyway. */
  readonly destinationMs: number | null;
  /** null: the platform answers with the outcome at once. */
  readonly pollAfterMs: number | null;
  readonly random: number;
}

/** What may be done twice is tried again; what may not, and may have been done, has an unknown outcome. */
export function inDoubt(
  judgement: Judgement,
  attempted: Pick<Attempted, 'guarantee' | 'attempt'>,
): Judgement {
  const { status } = attempted.attempt;
  if (attempted.guarantee !== 'at_most_once' || judgement.kind !== 'retry' || status === null)
    return judgement;
  const isRefusal =
    status === UNTOUCHED || (status >= 300 && status < 500) || judgement.afterMs !== undefined;
  return isRefusal ? judgement : { ...judgement, kind: 'unknown' };
}

export function outcomeOf(judgement: Judgement, attempted: Attempted): Outcome {
  const { row, attempt, notes } = attempted;
  const now = attempt.at + attempt.ms;
  const message = 'message' in judgement ? sentence(judgement.message) : null;
  const tried: Outcome = {
    ...standing(row),
    platform_event: attempted.name ?? row.platform_event,
    guarantee: attempted.guarantee,
    message,
    history: remembered(row, {
      at: attempt.at,
      http_status: attempt.status,
      ms: attempt.ms,
      verdict: verdictOf(judgement),
      message,
    }),
  };
  const counted = { ...tried, attempts: row.attempts + 1, sent_at: row.sent_at ?? attempt.at, split: null };
  const over = { ...counted, next_at: null, settled_at: now };

  switch (judgement.kind) {
    case 'delivered':
      return { ...over, state: 'delivered', reason: null, message: sentence([message, ...notes].join(' ')) };
    case 'accepted':
      return {
        ...counted,
        state: 'accepted_async',
        reason: null,
        message: sentence(notes.join(' ')),
        ref: judgement.ref,
        next_at: now + (attempted.pollAfterMs ?? 0),
      };
    case 'refused':
      return { ...over, state: 'dead', reason: judgement.code };
    case 'unknown':
      return { ...over, state: 'unknown', reason: judgement.code };
    case 'bisect':
      if (attempted.batch === 1) return { ...over, state: 'dead', reason: judgement.code };
      // Its turn stays the one that it had, before everything that came later.
      return {
        ...tried,
        sent_at: counted.sent_at,
        state: 'retry',
        reason: judgement.code,
        split: attempted.half,
        ref: null,
        next_at: Math.min(row.next_at ?? now, now),
      };
    case 'retry':
      return again(judgement, counted, attempted, now);
    case 'throttled':
      // Turned away at the door: neither an attempt, nor the beginning of the day after which it is given up.
      return { ...tried, state: 'retry', reason: judgement.code };
    case 'auth':
    case 'config':
      return { ...tried, state: waiting(row), reason: judgement.code };
    case 'stopped':
      return { ...tried, state: 'retry', reason: null, next_at: now };
  }
}

function again(
  verdict: Extract<Verdict, { kind: 'retry' }>,
  counted: Outcome,
  { row, occurredAt, maxAgeMs, changedAt, destinationMs, random }: Attempted,
  now: number,
): Outcome {
  const since = Math.max(counted.sent_at ?? now, changedAt);
  const pause = askedMs(verdict.afterMs) ?? destinationMs ?? backOffMs(row.attempts, random);
  if (now >= giveUpAt(since, occurredAt, maxAgeMs)) {
    const message = sentence(`${GAVE_UP} ${verdict.message}`);
    return {
      ...counted,
      state: 'dead',
      reason: 'gave_up',
      message,
      next_at: null,
      settled_at: now,
      ref: null,
    };
  }
  return { ...counted, state: 'retry', reason: verdict.code, next_at: now + pause, ref: null };
}

const GAVE_UP = 'Retried for a day, or until it was too old to send. Last response:';

/** Not sent, and why; what had been tried already before it grew too old has failed. */
export function skipped(row: DeliveryRow, { skip, detail }: Skip, now: number): Outcome {
  const message = sentence(detail === undefined ? SKIP_REASONS[skip] : `${SKIP_REASONS[skip]} ${detail}`);
  const over = {
    ...standing(row),
    next_at: null,
    settled_at: now,
    split: null,
  };
  return skip === 'too_old' && historyOf(row).length > 0
    ? { ...over, state: 'dead', reason: 'gave_up', message }
    : { ...over, state: 'skipped', reason: skip, message };
}

/** No key of this node opens what it is made of: later, and perhaps elsewhere. It ends with the platform's age limit or the data's own end. */
export function sealedHere(row: DeliveryRow, now: number): Outcome {
  const pause = Math.min(SEALED.mostMs, Math.max(SEALED.leastMs, (now - row.created_at) / 4));
  return {
    ...standing(row),
    state: waiting(row),
    reason: SEALED_REASON,
    message: SEALED.message,
    next_at: Math.round(now + pause),
  };
}

/** Soon at first, since a rotation of the key takes minutes; rarely where the key is lost. */
const SEALED = {
  leastMs: 10_000,
  mostMs: 300_000,
  message: 'The node that tried has no SECRET_KEY that decrypts its data; another node may have it.',
} as const;
export const SEALED_REASON = 'data_sealed';

/** Unchanged; request and response are rewritten only when there is something new. */
export function standing(row: DeliveryRow): Outcome {
  const { id, lease, state, reason, message, platform_event, guarantee } = row;
  const { attempts, next_at, split, ref, history, sent_at, settled_at } = row;
  return {
    ...{ id, lease, state, reason, message, platform_event, guarantee },
    ...{ attempts, next_at, split, ref, history, sent_at, settled_at },
    ...{ request: null, response: null },
  };
}

export const waiting = ({ attempts }: Pick<DeliveryRow, 'attempts'>): 'pending' | 'retry' =>
  attempts === 0 ? 'pending' : 'retry';

/** One label for each half of a batch. @returns the label of the event at an index */
export function halves(batch: number): (index: number) => string {
  const first = randomUUID();
  const second = randomUUID();
  return (index) => (index < Math.ceil(batch / 2) ? first : second);
}

export function historyOf({ history }: Pick<DeliveryRow, 'history'>): readonly HistoryEntry[] {
  return JSON.parse(history) as HistoryEntry[];
}

function remembered(row: DeliveryRow, entry: HistoryEntry): string {
  return JSON.stringify([...historyOf(row), entry].slice(-MAX_HISTORY));
}

const verdictOf = ({ kind }: Judgement): HistoryEntry['verdict'] => (kind === 'stopped' ? 'retry' : kind);

/** PostgreSQL takes neither NUL nor half a character. */
function sentence(text: string | undefined): string | null {
  const clean = (text ?? '').replaceAll('\0', '').trim().slice(0, MAX_MESSAGE).toWellFormed();
  return clean === '' ? null : clean;
}
