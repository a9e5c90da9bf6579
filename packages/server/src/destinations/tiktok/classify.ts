/** TikTok's verdict is the `code` in the body; the status is 200 for nearly everything. One bad event fails the whole request. */
import type { JsonObject } from '@ghostlight/core';
import { badEvent, codeOf, forAll, jsonOf, noVerdict, presentable, verdictOfStatus } from '../answers.ts';
import type { HttpResponse, Verdict } from '../port.ts';

/** 40001: no permission for the pixel; 40105: wrong or revoked. Not confirmed: 40102 (expired) and 40104 (missing). */
const AUTH = [40001, 40102, 40104, 40105];
/** The code of this name does not exist. */
const UNKNOWN_OBJECT = 40007;
const THROTTLED = 40100;

export function classify(response: HttpResponse, events: readonly JsonObject[]): readonly Verdict[] {
  const answer = jsonOf(response);
  const code = answer?.['code'];
  if (typeof code === 'number') return forAll(events, verdictOf(code, answer?.['message'], events));
  const verdict = verdictOfStatus(response, events, { message: answer?.['message'] });
  // Without a code nothing is known to be taken.
  if (verdict.kind === 'delivered') return forAll(events, noVerdict('TikTok'));
  return forAll(events, verdict);
}

function verdictOf(number: number, words: unknown, events: readonly unknown[]): Verdict {
  const code = codeOf(number, 'unknown');
  const message = presentable(words, `TikTok answered with code ${code}.`);
  if (number === 0) return { kind: 'delivered' };
  // Partial success. Which event failed is documented nowhere, so a batch is halved: those that were taken are the same by their id
  // and counted once. Alone, an event of which a part was taken was taken.
  if (number === 20001)
    return events.length > 1 ? badEvent(events, code, message) : { kind: 'delivered', message };
  if (AUTH.includes(number)) return { kind: 'auth', code, message };
  if (number === UNKNOWN_OBJECT) return { kind: 'config', code, message };
  if (number === THROTTLED) return { kind: 'throttled', code, message, scope: 'minute' };
  if (number === 40002) return badEvent(events, code, message);
  return { kind: 'retry', code, message };
}
