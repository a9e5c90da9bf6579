/** Snap says `{ status: VALID | INVALID, reason }` of the request as a whole; which event was wrong it does not say. */
import type { JsonObject } from '@ghostlight/core';
import { badEvent, forAll, jsonOf, noVerdict, presentable, textOf, verdictOfStatus } from '../answers.ts';
import type { HttpResponse, Verdict } from '../port.ts';

export function classify(response: HttpResponse, events: readonly JsonObject[]): readonly Verdict[] {
  const { status } = response;
  const answer = jsonOf(response);
  const reason = textOf(answer?.['reason']) ?? answer?.['message'];
  if (status < 200 || status >= 300)
    return forAll(events, verdictOfStatus(response, events, { message: reason }));
  if (answer === null) return forAll(events, noVerdict('Snap'));
  if (/^(?:INVALID|FAILED|ERROR)$/i.test(textOf(answer['status']) ?? ''))
    return forAll(
      events,
      badEvent(events, 'invalid', presentable(reason, 'Snap rejected the request as invalid.')),
    );
  return forAll(events, { kind: 'delivered' });
}
