import type { JsonObject } from '@ghostlight/core';
import { codeOf, forAll, jsonOf, listOf, objectOf, presentable, verdictOfStatus } from '../answers.ts';
import type { HttpResponse, Verdict } from '../port.ts';

/** In production every 2xx is empty and means "received", be the event good or not; the debug address lists what is wrong with it. */
export function classify(response: HttpResponse, events: readonly JsonObject[]): readonly Verdict[] {
  const [found] = listOf(jsonOf(response)?.['validationMessages']).map(objectOf);
  if (found === undefined) return forAll(events, verdictOfStatus(response, events));
  return forAll(events, {
    kind: 'refused',
    code: codeOf(found?.['validationCode'], 'invalid'),
    message: presentable(found?.['description'], 'Google Analytics does not accept this event.'),
  });
}
