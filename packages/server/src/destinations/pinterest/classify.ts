/**
 * Pinterest evaluates each event, in the order of the request: `events: [{ status: processed | failed, error_message, warning_message }]`,
 * with 200 when all were processed and with 422 when some were not (there inside `details`, by its schema).
 */
import type { JsonObject } from '@ghostlight/core';
import {
  badEvent,
  codeOf,
  forAll,
  integerOf,
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
  const words = { code: answer?.['code'], message: answer?.['message'] };
  const isTaken = status >= 200 && status < 300;
  if (!isTaken && status !== 422) return forAll(events, verdictOfStatus(response, events, words));
  const report = Array.isArray(answer?.['events']) ? answer : objectOf(answer?.['details']);
  const judged = listOf(report?.['events']);
  if (judged.length === events.length) return judged.map(verdictOf);
  if (!isTaken)
    return forAll(
      events,
      badEvent(
        events,
        codeOf(words.code, 'http_422'),
        presentable(words.message, 'Pinterest could not process all events.'),
      ),
    );
  if (integerOf(answer?.['num_events_processed']) === events.length)
    return forAll(events, { kind: 'delivered' });
  return forAll(events, noVerdict('Pinterest'));
}

function verdictOf(item: unknown): Verdict {
  const event = objectOf(item);
  const status = textOf(event?.['status']);
  if (status === 'failed')
    return {
      kind: 'refused',
      code: 'failed',
      message: presentable(event?.['error_message'], 'Pinterest could not process the event.'),
    };
  if (status !== 'processed') return noVerdict('Pinterest');
  const warning = textOf(event?.['warning_message']);
  return warning === null
    ? { kind: 'delivered' }
    : { kind: 'delivered', message: presentable(warning, 'Pinterest accepted it with a warning.') };
}
