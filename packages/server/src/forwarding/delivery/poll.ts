/** Asks a platform that has accepted events without evaluating them for their outcome: one question per request that was accepted. */
import type { Auth, HttpResponse, Verdict } from '../../destinations/index.ts';
import { createMasker } from '../masking.ts';
import { claimPoll, newLease } from './claim.ts';
import { allowedHost, MAX_ANSWER_BYTES } from './exchange.ts';
import { UNANSWERED_POLL } from './messages.ts';
import { halves, historyOf, outcomeOf } from './outcome.ts';
import type {
  BoundDestination,
  BoundPoll,
  DeliveryDeps,
  DeliveryRow,
  DestinationRow,
  Tokens,
} from './ports.ts';
import { knownOfAuth } from './present.ts';
import type { Attempt, Effect, Outcome } from './records.ts';
import { settle } from './settle.ts';
import { retryAfterMs, throttleMs } from './timing.ts';

export interface PollDeps extends Pick<DeliveryDeps, 'database' | 'send' | 'clock' | 'node' | 'onOutcome'> {
  readonly tokens: Tokens;
  readonly signal: AbortSignal;
}

/** @returns how many deliveries were asked about, and how many of them were settled */
export async function pollOnce(
  deps: PollDeps,
  row: DestinationRow,
  destination: BoundDestination,
): Promise<{ readonly asked: number; readonly settled: number }> {
  const { poll } = destination;
  if (poll === null) return NOTHING;
  const now = deps.clock();
  const rows = await claimPoll(deps.database, {
    destination: row,
    now,
    limit: destination.limits.maxBatch,
    lease: newLease(deps.node),
    nextAt: now + poll.everyMs,
  });
  const ref = rows[0]?.ref ?? null;
  if (ref === null) return { ...NOTHING, asked: rows.length };
  const token = await deps.tokens.of(row, destination);
  // Without a token the next delivery raises the alarm; the question is asked again in its time.
  if (token.kind !== 'token') return { ...NOTHING, asked: rows.length };
  const auth = { credentials: destination.credentials, accessToken: token.accessToken, now };
  const answer = await ask(deps, destination, poll, ref, auth);
  if (answer.verdict?.kind === 'auth' && !token.isFresh) {
    deps.tokens.forget(row.id);
    return { ...NOTHING, asked: rows.length };
  }
  const { outcomes, effect } = judged(destination, poll, row, rows, answer, deps.clock());
  const response =
    answer.response === null
      ? null
      : JSON.stringify(createMasker(knownOfAuth(destination, auth)).response(answer.response));
  if (outcomes.length === 0 && effect === null) return { ...NOTHING, asked: rows.length };
  const shown = outcomes.map((outcome) => ({ ...outcome, response }));
  const written = await settle(deps, row, { effect, outcomes: shown, returned: [] }, deps.clock());
  for (const [state, group] of Map.groupBy(written, (one) => one.state))
    deps.onOutcome?.(row.platform, state, group.length);
  return { asked: rows.length, settled: written.length };
}

const NOTHING = { asked: 0, settled: 0 } as const;

interface Answer {
  readonly response: HttpResponse | null;
  readonly attempt: Attempt;
  /** null: not evaluated yet, or the platform could not be asked. */
  readonly verdict: Verdict | null;
}

async function ask(
  { send, clock, signal }: PollDeps,
  destination: BoundDestination,
  poll: BoundPoll,
  ref: string,
  auth: Auth,
): Promise<Answer> {
  const at = clock();
  const nothing = { response: null, attempt: { at, ms: 0, status: null }, verdict: null };
  try {
    const request = poll.build(ref, auth);
    if (!allowedHost(destination, request)) return nothing;
    const response = await send(request, {
      timeoutMs: destination.limits.timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      guarded: destination.hosts.length === 0,
      signal,
    });
    const attempt = { at, ms: clock() - at, status: response.status };
    return { response, attempt, verdict: poll.classify(response) };
  } catch {
    // Asked again in its time; what was accepted is not in danger.
    return nothing;
  }
}

function judged(
  destination: BoundDestination,
  poll: BoundPoll,
  destinationRow: DestinationRow,
  rows: readonly DeliveryRow[],
  { verdict, attempt, response }: Answer,
  now: number,
): { readonly outcomes: readonly Outcome[]; readonly effect: Effect | null } {
  if (verdict?.kind === 'auth' || verdict?.kind === 'config') {
    const { kind, code, message } = verdict;
    return { outcomes: [], effect: { kind: 'alarm', cause: kind, code, message } };
  }
  if (verdict?.kind === 'throttled') {
    const asked = response === null ? null : retryAfterMs(response, now);
    return { outcomes: [], effect: { kind: 'wait', ms: throttleMs(verdict, asked, now) } };
  }
  // A question that failed says nothing about the events; an answer by which they failed does.
  const isOpen =
    verdict === null || verdict.kind === 'accepted' || (verdict.kind === 'retry' && !isFine(attempt));
  const final: Verdict | null = isOpen ? null : verdict;
  const half = halves(rows.length);
  const outcomes = rows.flatMap((row, n): Outcome[] => {
    const isOver = now >= acceptedAt(row) + poll.giveUpAfterMs;
    const judgement = final ?? (isOver ? ({ kind: 'delivered', message: UNANSWERED_POLL } as const) : null);
    if (judgement === null) return [];
    const outcome = outcomeOf(judgement, {
      ...{ row, attempt, guarantee: row.guarantee, name: row.platform_event },
      ...{ occurredAt: row.created_at, maxAgeMs: destination.limits.maxAgeMs },
      notes: row.message === null ? [] : [row.message],
      ...{ batch: rows.length, half: half(n), changedAt: destinationRow.updated_at },
      ...{ destinationMs: null, pollAfterMs: poll.everyMs, random: 1 },
    });
    // A question is not an attempt.
    return [{ ...outcome, attempts: row.attempts }];
  });
  return { outcomes, effect: null };
}

const isFine = ({ status }: Attempt): boolean => status !== null && status < 300;

const acceptedAt = (row: DeliveryRow): number =>
  historyOf(row).findLast(({ verdict }) => verdict === 'accepted')?.at ?? row.updated_at;
