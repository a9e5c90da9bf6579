import type { JsonObject } from '@ghostlight/core';
import type { Auth, HttpRequest } from '../port.ts';
import { postJson } from '../requests.ts';
import type { LinkedinConfig } from './config.ts';

export const HOST = 'api.linkedin.com';

export function build(
  events: readonly JsonObject[],
  { api_version }: LinkedinConfig,
  { credentials, accessToken }: Auth,
): HttpRequest {
  return postJson(
    `https://${HOST}/rest/conversionEvents`,
    { elements: events },
    {
      authorization: `Bearer ${accessToken ?? credentials['access_token'] ?? ''}`,
      'linkedin-version': api_version,
      'x-restli-protocol-version': '2.0.0',
      'x-restli-method': 'BATCH_CREATE',
    },
  );
}
