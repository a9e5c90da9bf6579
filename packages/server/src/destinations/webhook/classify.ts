import type { JsonObject } from '@ghostlight/core';
import { forAll } from '../answers.ts';
import type { HttpResponse, Verdict } from '../port.ts';

/** By status alone: the text of an untrusted server is not stored. */
export function classify({ status }: HttpResponse, events: readonly JsonObject[]): readonly Verdict[] {
  return forAll(events, verdictOf(status));
}

function verdictOf(status: number): Verdict {
  const code = `http_${status}`;
  const says = (words: string): string => `Status ${status}. ${words}`;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 401 || status === 403)
    return { kind: 'auth', code, message: says('The receiver does not accept the signature or a header.') };
  if (status === 410)
    return { kind: 'config', code, message: says('The receiver asked for no more requests.') };
  if (status >= 300 && status < 400)
    return {
      kind: 'config',
      code,
      message: says('Redirects are not followed; enter the new URL.'),
    };
  if (status === 429)
    return { kind: 'throttled', code, message: says('Too many requests.'), scope: 'minute' };
  if (status >= 500 || status === 408 || status === 425)
    return { kind: 'retry', code, message: says('The receiver was unavailable.') };
  if (status >= 400)
    return { kind: 'refused', code, message: says('The receiver does not accept this event.') };
  return { kind: 'retry', code, message: says('That is not a final response.') };
}
