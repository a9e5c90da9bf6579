/** One request and what its answer means: for each event of it, and for the whole destination. Nothing is written down here. */

import type { Clock, Log } from '../../common/index.ts';
import type { Auth, HttpRequest, HttpResponse, Verdict } from '../../destinations/index.ts';
import { type Send, SendError } from '../../outbound/index.ts';
import type { Masker } from '../masking.ts';
import { AFTER_MISTAKE_MS, FAILURES, MISTAKE, placeOf, TOO_LARGE, WRONG_HOST } from './messages.ts';
import { inDoubt } from './outcome.ts';
import type { BoundDestination } from './ports.ts';
import { answerMasker } from './present.ts';
import type { Effect, Exchange, Judgement, Ready } from './records.ts';
import { retryAfterMs, throttleMs } from './timing.ts';

/** Of an answer's body. */
export const MAX_ANSWER_BYTES = 256 * 1024;
/** More than any platform documents for events of 16 KiB at most; it bounds what the requests under way hold together. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export interface ExchangeDeps {
  readonly send: Send;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends requests under way when the service may wait no longer. */
  readonly signal: AbortSignal;
}

/** Bytes that one request may have. */
export const mostBytes = ({ limits }: Pick<BoundDestination, 'limits'>): number =>
  Math.min(limits.maxBytes, MAX_BODY_BYTES);

/** @param batch of one group, held by us, and on disk as leaving where it counts. Never throws. */
export async function exchange(
  deps: ExchangeDeps,
  destination: BoundDestination,
  batch: readonly Ready[],
  auth: Auth,
  probe: boolean,
): Promise<Exchange> {
  const { clock } = deps;
  const at = clock();
  const ours = (judgement: Judgement, request: HttpRequest | null = null): Exchange => ({
    ...{ request, response: null, attempt: { at, ms: 0, status: null } },
    ...{ judgements: batch.map(() => judgement), effect: alarmOf([judgement]), destinationMs: null },
  });
  const request = built(deps, destination, batch, auth);
  if (request === null) return ours(unbuilt(batch.length));
  if (!allowedHost(destination, request))
    return ours({ kind: 'config', code: 'wrong_host', message: WRONG_HOST });
  if (Buffer.byteLength(request.body ?? '') > mostBytes(destination))
    return ours(
      { kind: batch.length > 1 ? 'bisect' : 'refused', code: 'too_large', message: TOO_LARGE },
      request,
    );

  try {
    const response = await deps.send(request, {
      timeoutMs: destination.limits.timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      guarded: destination.hosts.length === 0,
      signal: deps.signal,
    });
    const attempt = { at, ms: clock() - at, status: response.status };
    const verdicts = classified(deps, destination, response, batch, auth);
    const judgements = batch.map(({ guarantee }, n) =>
      inDoubt(verdicts[n] ?? UNREAD, { guarantee, attempt }),
    );
    const destinationMs = response.status >= 400 ? retryAfterMs(response, clock()) : null;
    return {
      request,
      response,
      attempt,
      judgements,
      effect: effectOf(judgements, destinationMs, probe, clock()),
      destinationMs,
    };
  } catch (error) {
    const attempt = { at, ms: clock() - at, status: null };
    const judgements = batch.map(({ guarantee }) => unanswered(error, guarantee));
    return {
      request,
      response: null,
      attempt,
      judgements,
      effect: effectOf(judgements, null, probe, clock()),
      destinationMs: null,
    };
  }
}

/** Entered settings are part of some addresses: none of them may lead away from the platform's hosts. */
export function allowedHost({ hosts }: Pick<BoundDestination, 'hosts'>, { url }: HttpRequest): boolean {
  const host = URL.parse(url)?.hostname;
  return hosts.length === 0 || (host !== undefined && hosts.includes(host));
}

function built(
  { log }: ExchangeDeps,
  destination: BoundDestination,
  batch: readonly Ready[],
  auth: Auth,
): HttpRequest | null {
  try {
    return destination.build(
      batch.map(({ event }) => event),
      auth,
    );
  } catch (error) {
    log.error({ platform: destination.platform, error: placeOf(error) }, 'a request could not be built');
    return null;
  }
}

function classified(
  { log }: ExchangeDeps,
  destination: BoundDestination,
  response: HttpResponse,
  batch: readonly Ready[],
  auth: Auth,
): readonly Judgement[] {
  const masker = answerMasker(destination, batch, auth);
  try {
    return destination
      .classify(
        response,
        batch.map(({ event }) => event),
      )
      .map((verdict) => presentable(verdict, masker));
  } catch (error) {
    log.error({ platform: destination.platform, error: placeOf(error) }, 'an answer could not be classified');
    return [];
  }
}

/** Messages are the platform's words, and they are shown, also as an alarm. */
function presentable(verdict: Verdict, masker: Masker): Verdict {
  return 'message' in verdict && verdict.message !== undefined
    ? { ...verdict, message: masker.text(verdict.message) }
    : verdict;
}

/** One event may be all that the mistake needs: the others are not to wait with it. */
const unbuilt = (batch: number): Judgement =>
  batch > 1
    ? { kind: 'bisect', code: 'internal_error', message: MISTAKE }
    : { kind: 'retry', code: 'internal_error', message: MISTAKE, afterMs: AFTER_MISTAKE_MS };
const UNREAD: Judgement = { kind: 'retry', code: 'internal_error', message: MISTAKE };

export function unanswered(error: unknown, guarantee: Ready['guarantee']): Judgement {
  const { word, left } = error instanceof SendError ? error : { word: 'unreachable' as const, left: true };
  const { message, isSetting } = FAILURES[word];
  if (left && guarantee === 'at_most_once')
    return {
      kind: 'unknown',
      code: word,
      message: `${message} It may have arrived, and the platform would count a repeat.`,
    };
  if (word === 'stopped') return { kind: 'stopped', message };
  return { kind: isSetting ? 'config' : 'retry', code: word, message };
}

function effectOf(
  judgements: readonly Judgement[],
  destinationMs: number | null,
  probe: boolean,
  now: number,
): Effect | null {
  const alarm = alarmOf(judgements);
  if (alarm !== null) return alarm;
  const throttled = judgements.find((judgement) => judgement.kind === 'throttled');
  if (throttled !== undefined) return { kind: 'wait', ms: throttleMs(throttled, destinationMs, now) };
  if (judgements.some(({ kind }) => kind === 'stopped')) return null;
  if (judgements.every(({ kind }) => kind === 'retry' || kind === 'unknown'))
    return { kind: 'failed', probe, leastMs: destinationMs ?? 0 };
  return { kind: 'ok' };
}

function alarmOf(judgements: readonly Judgement[]): Effect | null {
  for (const judgement of judgements)
    if (judgement.kind === 'auth' || judgement.kind === 'config') {
      const { kind, code, message } = judgement;
      return { kind: 'alarm', cause: kind, code, message };
    }
  return null;
}
