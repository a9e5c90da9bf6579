import type { JsonObject } from '@ghostlight/core';
import { MINUTE_MS } from '@ghostlight/core/time';
import {
  badEvent,
  codeOf,
  forAll,
  integerOf,
  jsonOf,
  noVerdict,
  objectOf,
  presentable,
  textOf,
  verdictOfStatus,
} from '../answers.ts';
import type { HttpResponse, Verdict } from '../port.ts';

/** Meta's error codes by what they mean for us; its subcodes where the code says too little. */
const AUTH = [10, 102, 190, 294];
const CONFIG = [3, 12, 803, 2635];
const THROTTLED = [4, 17, 32, 341, 613];
const TRANSIENT = [1, 2, 368, 5000, 21009];
/** The object does not exist, or this token may not see it: a wrong dataset ID far more often than a wrong event. */
const NO_SUCH_OBJECT = 33;

/** One answer for all: Meta takes a request as a whole or refuses it, and does not say for which event. */
export function classify(response: HttpResponse, events: readonly JsonObject[]): readonly Verdict[] {
  return forAll(events, verdictOf(response, events));
}

function verdictOf(response: HttpResponse, events: readonly JsonObject[]): Verdict {
  const answer = jsonOf(response);
  const error = objectOf(answer?.['error']);
  if (error === null) return withoutError(response, events, integerOf(answer?.['events_received']));
  const number = integerOf(error['code']) ?? 0;
  const subcode = integerOf(error['error_subcode']);
  const code = codeOf([number, subcode].filter((part) => part !== null).join('/'), 'unknown');
  const words = textOf(error['error_user_msg']) ?? error['message'];
  const message = presentable(words, 'Meta gave an error without a message.');
  if (AUTH.includes(number) || (number >= 200 && number <= 299)) return { kind: 'auth', code, message };
  // The same number as a bad parameter, and no event is at fault.
  if (number === 100 && /\bpermissions?\b/i.test(textOf(error['message']) ?? ''))
    return { kind: 'auth', code, message };
  if (CONFIG.includes(number) || (number === 100 && subcode === NO_SUCH_OBJECT))
    return { kind: 'config', code, message };
  if (THROTTLED.includes(number) || (number >= 80000 && number <= 80014))
    return { kind: 'throttled', code, message, scope: 'minute', ...waitOf(response) };
  const isTransient = error['is_transient'] === true || TRANSIENT.includes(number) || response.status >= 500;
  if (isTransient) return { kind: 'retry', code, message };
  if (number === 34 || number === 38 || number === 100) return badEvent(events, code, message);
  return { kind: 'retry', code, message };
}

function withoutError(
  response: HttpResponse,
  events: readonly JsonObject[],
  received: number | null,
): Verdict {
  if (response.status >= 300) return verdictOfStatus(response, events);
  return received === null ? noVerdict('Meta') : { kind: 'delivered' };
}

/** Minutes, as `{"<account>":[{"estimated_time_to_regain_access":5}]}`. */
function waitOf({ headers }: HttpResponse): { afterMs?: number } {
  const usage = jsonOf({ body: headers['x-business-use-case-usage'] ?? '' });
  const entries = Object.values(usage ?? {}).flat();
  const minutes = entries.map(
    (entry) => integerOf(objectOf(entry)?.['estimated_time_to_regain_access']) ?? 0,
  );
  const longest = Math.max(0, ...minutes);
  return longest === 0 ? {} : { afterMs: longest * MINUTE_MS };
}
