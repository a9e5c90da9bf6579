/** OpenAI takes a request whole or not at all, and the status says which; no form of its answers is documented. */
import type { JsonObject } from '@ghostlight/core';
import { forAll, jsonOf, noVerdict, objectOf, textOf, verdictOfStatus } from '../answers.ts';
import type { HttpResponse, Verdict } from '../port.ts';

export function classify(response: HttpResponse, events: readonly JsonObject[]): readonly Verdict[] {
  const answer = jsonOf(response);
  const isTaken = response.status >= 200 && response.status < 300;
  // The page of a proxy is no yes.
  if (isTaken && answer === null && response.body.trim() !== '') return forAll(events, noVerdict('OpenAI'));
  const error = objectOf(answer?.['error']);
  const code = textOf(error?.['code']) ?? error?.['type'];
  const message =
    error?.['message'] ?? textOf(answer?.['error']) ?? answer?.['message'] ?? answer?.['detail'];
  return forAll(events, verdictOfStatus(response, events, { code, message }));
}
