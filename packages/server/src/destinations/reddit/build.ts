import type { JsonObject } from '@ghostlight/core';
import type { Auth, HttpRequest } from '../port.ts';
import { postJson } from '../requests.ts';
import type { RedditConfig } from './config.ts';

export const HOST = 'ads-api.reddit.com';

export const build = (events: readonly JsonObject[], config: RedditConfig, auth: Auth): HttpRequest =>
  request(events, config, auth, {});

/** Alone in its request: `test_id` makes test events of everything beside it. */
export const buildTest = (
  event: JsonObject,
  config: RedditConfig,
  auth: Auth,
  code: string | null,
): HttpRequest => request([event], config, auth, code === null ? {} : { test_id: code });

function request(
  events: readonly JsonObject[],
  { pixel_id }: RedditConfig,
  { credentials }: Auth,
  test: JsonObject,
): HttpRequest {
  return postJson(
    `https://${HOST}/api/v3/pixels/${pixel_id}/conversion_events`,
    { data: { partner: 'GHOSTLIGHT', ...test, events } },
    { authorization: `Bearer ${credentials['access_token'] ?? ''}` },
  );
}
