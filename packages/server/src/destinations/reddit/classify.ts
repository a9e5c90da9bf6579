/**
 * Reddit processes a request whole or not at all: 400 with `There were 1 invalid conversion events. None were processed.` and
 * `invalid_events: [{ error_message, event }]`, where the event is repeated without its index. 200 may carry `invalid_events` too, and
 * so may 403, which is then no fault of the token.
 * Seen by a connector with v2; v3 also answers `{ error: { code, message } }`.
 */
import type { JsonObject } from '@ghostlight/core';
import {
  badEvent,
  batchRefused,
  codeOf,
  forAll,
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
  const data = objectOf(answer?.['data']);
  const error = objectOf(answer?.['error']);
  const words = {
    code: error?.['reason'] ?? error?.['code'],
    message: error?.['explanation'] ?? error?.['message'] ?? data?.['message'] ?? answer?.['message'],
  };
  const isTaken = status >= 200 && status < 300;
  if (isTaken && answer === null) return forAll(events, noVerdict('Reddit'));
  const invalid = [...listOf(answer?.['invalid_events']), ...listOf(data?.['invalid_events'])].map(objectOf);
  const isOfEvents = isTaken || status === 400 || (status === 403 && invalid.length > 0);
  if (!isOfEvents) return forAll(events, verdictOfStatus(response, events, words));
  if (invalid.length === 0) return forAll(events, verdictOfStatus(response, events, words));
  const noneProcessed = !isTaken || /none were processed/i.test(textOf(words.message) ?? '');
  return judge(events, invalid, noneProcessed, codeOf(words.code, 'invalid_event'));
}

function judge(
  events: readonly JsonObject[],
  invalid: readonly (JsonAnswer | null)[],
  noneProcessed: boolean,
  code: string,
): readonly Verdict[] {
  const reasons = new Map<string, string>();
  for (const item of invalid) {
    const key = keyOf(objectOf(item?.['event']));
    if (key !== null)
      reasons.set(key, presentable(item?.['error_message'], 'Reddit rejected this event as invalid.'));
  }
  const named = events.map((event) => reasons.get(keyOf(event) ?? ''));
  // An event that can't be distinguished from the others: halving finds it.
  if (named.filter((reason) => reason !== undefined).length < invalid.length) {
    const words = presentable(
      invalid[0]?.['error_message'],
      'Reddit rejected an event in the request as invalid.',
    );
    return forAll(events, badEvent(events, code, words));
  }
  return named.map((reason): Verdict => {
    if (reason !== undefined) return { kind: 'refused', code, message: reason };
    return noneProcessed ? batchRefused('Reddit') : { kind: 'delivered' };
  });
}

/** What Reddit itself tells events apart by: the conversion's id within its type (`type`, in v2 `event_type`). */
function keyOf(event: JsonAnswer | null): string | null {
  const metadata = objectOf(event?.['metadata']) ?? objectOf(event?.['event_metadata']);
  const type = objectOf(event?.['type']) ?? objectOf(event?.['event_type']);
  const id = textOf(metadata?.['conversion_id']);
  return id === null
    ? null
    : `${textOf(type?.['tracking_type']) ?? ''} ${textOf(type?.['custom_event_name']) ?? ''} ${id}`;
}
