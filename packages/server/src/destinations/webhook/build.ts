import type { JsonObject } from '@ghostlight/core';
import { Webhook } from 'standardwebhooks';
import { objectOf, textOf } from '../answers.ts';
import type { Auth, HttpRequest } from '../port.ts';
import type { Config } from './config.ts';
import { readHeaders } from './headers.ts';

/**
 * Signed as https://www.standardwebhooks.com says. The id is the conversion's, the same in every attempt: a receiver that keeps ids takes
 * each once. The time is the attempt's, since receivers refuse what was signed more than five minutes ago.
 */
export function build(
  [event = {}]: readonly JsonObject[],
  config: Config,
  { credentials, now }: Auth,
): HttpRequest {
  const body = JSON.stringify(event);
  const id = textOf(objectOf(event['data'])?.['id']) ?? '';
  const secrets = [credentials['signing_secret'], credentials['previous_signing_secret']];
  const signatures = secrets
    .filter((secret) => secret !== undefined)
    .map((secret) => new Webhook(secret).sign(id, new Date(now), body));
  return {
    method: 'POST',
    // As it was parsed, without what an address only shows.
    url: new URL(config.url).href,
    headers: {
      ...readHeaders(credentials['headers'] ?? ''),
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}
