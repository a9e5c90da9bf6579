import type { JsonObject } from '@ghostlight/core';
import type { Auth, HttpRequest } from '../port.ts';
import { postJson } from '../requests.ts';
import type { TiktokConfig } from './config.ts';

export const HOST = 'business-api.tiktok.com';

export const build = (events: readonly JsonObject[], config: TiktokConfig, auth: Auth): HttpRequest =>
  request(events, config, auth, {});

/** Alone in its request: `test_event_code` makes test events of everything beside it. */
export const buildTest = (
  event: JsonObject,
  config: TiktokConfig,
  auth: Auth,
  code: string | null,
): HttpRequest => request([event], config, auth, code === null ? {} : { test_event_code: code });

function request(
  events: readonly JsonObject[],
  { pixel_code }: TiktokConfig,
  { credentials }: Auth,
  test: JsonObject,
): HttpRequest {
  return postJson(
    `https://${HOST}/open_api/v1.3/event/track/`,
    { event_source: 'web', event_source_id: pixel_code, ...test, data: events },
    { 'access-token': credentials['access_token'] ?? '' },
  );
}
