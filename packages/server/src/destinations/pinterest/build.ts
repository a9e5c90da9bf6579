import type { JsonObject } from '@ghostlight/core';
import type { Auth, HttpRequest } from '../port.ts';
import { postJson } from '../requests.ts';
import type { PinterestConfig } from './config.ts';

export const HOST = 'api.pinterest.com';

export const build = (events: readonly JsonObject[], config: PinterestConfig, auth: Auth): HttpRequest =>
  request(events, config, auth, '');

/** With `test=true` the answer is the same and nothing is recorded. */
export const buildTest = (event: JsonObject, config: PinterestConfig, auth: Auth): HttpRequest =>
  request([event], config, auth, '?test=true');

function request(
  events: readonly JsonObject[],
  { ad_account_id }: PinterestConfig,
  { credentials }: Auth,
  query: string,
): HttpRequest {
  return postJson(
    `https://${HOST}/v5/ad_accounts/${ad_account_id}/events${query}`,
    { data: events },
    { authorization: `Bearer ${credentials['access_token'] ?? ''}` },
  );
}
