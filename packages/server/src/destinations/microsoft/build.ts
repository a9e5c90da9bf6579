import type { JsonObject } from '@ghostlight/core';
import type { Auth, HttpRequest } from '../port.ts';
import { postJson } from '../requests.ts';
import type { MicrosoftConfig } from './config.ts';

export const HOST = 'capi.uet.microsoft.com';

export function build(
  events: readonly JsonObject[],
  { tag_id }: MicrosoftConfig,
  { credentials }: Auth,
): HttpRequest {
  return postJson(
    `https://${HOST}/v1/${tag_id}/events`,
    // Without it one bad event would cost the whole request.
    { data: events, dataProvider: 'ghostlight', continueOnValidationError: true },
    { authorization: `Bearer ${credentials['access_token'] ?? ''}` },
  );
}
