/**
 * Microsoft says in the body what it thinks of each event, with 200 and with 400 alike:
 * `{ eventsReceived, error: { code, message, details: [{ index, propertyName, errorMessage, isWarning? }] }, traceId }`.
 */
import type { JsonObject } from '@ghostlight/core';
import {
  badEvent,
  codeOf,
  forAll,
  integerOf,
  type JsonAnswer,
  jsonOf,
  listOf,
  noVerdict,
  objectOf,
  presentable,
  textOf,
  verdictOfStatus,
} from '../answers.ts';
import type { HttpResponse, Verdict } from '../port.ts';

export function classify(response: HttpResponse, events: readonly JsonObject[]): readonly Verdict[] {
  const { status } = response;
  const answer = jsonOf(response);
  const error = objectOf(answer?.['error']);
  const isJudged = (status >= 200 && status < 300) || status === 400;
  if (!isJudged)
    return forAll(
      events,
      verdictOfStatus(response, events, { code: error?.['code'], message: error?.['message'] }),
    );
  if (answer === null) return forAll(events, noVerdict('Microsoft'));
  return judge(answer, error, status, events);
}

function judge(
  answer: JsonAnswer,
  error: JsonAnswer | null,
  status: number,
  events: readonly JsonObject[],
): readonly Verdict[] {
  const { refusals, warnings } = detailsOf(error);
  const refused = events.filter((_, index) => refusals.has(index)).length;
  const code = codeOf(error?.['code'], `http_${status}`);
  const received = integerOf(answer['eventsReceived']) ?? (status === 400 ? 0 : events.length);
  // Nothing is known of which one it was.
  if (refused === 0 && status === 400)
    return forAll(
      events,
      badEvent(events, code, presentable(error?.['message'], 'Microsoft rejected the request.')),
    );
  return events.map((_, index): Verdict => {
    const refusal = refusals.get(index);
    if (refusal !== undefined) return { kind: 'refused', code, message: refusal };
    if (received < events.length - refused) return NOT_RECEIVED;
    const message = warnings.get(index);
    return message === undefined ? { kind: 'delivered' } : { kind: 'delivered', message };
  });
}

const NOT_RECEIVED: Verdict = {
  kind: 'retry',
  code: 'not_received',
  message: 'Microsoft confirmed fewer events than were sent.',
};

/** By index; an event may have several, of which the first is kept. */
function detailsOf(error: JsonAnswer | null): Record<'refusals' | 'warnings', ReadonlyMap<number, string>> {
  const refusals = new Map<number, string>();
  const warnings = new Map<number, string>();
  for (const item of listOf(error?.['details'])) {
    const detail = objectOf(item);
    const index = integerOf(detail?.['index']);
    if (index === null) continue;
    const found = detail?.['isWarning'] === true ? warnings : refusals;
    if (!found.has(index)) found.set(index, sentenceOf(detail));
  }
  return { refusals, warnings };
}

/** Without `attemptedValue`, which may be a person's address. */
function sentenceOf(detail: JsonAnswer | null): string {
  const words = textOf(detail?.['errorMessage']) ?? 'Not valid.';
  const property = textOf(detail?.['propertyName']);
  return presentable(property === null ? words : `${property}: ${words}`, 'Microsoft rejected this event.');
}
