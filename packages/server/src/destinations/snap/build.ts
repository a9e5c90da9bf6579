import type { JsonObject } from '@ghostlight/core';
import type { Auth, HttpRequest } from '../port.ts';
import { postJson } from '../requests.ts';
import type { SnapConfig } from './config.ts';

export const HOST = 'tr.snapchat.com';

export const build = (events: readonly JsonObject[], config: SnapConfig, auth: Auth): HttpRequest =>
  request('events', events, config, auth);

/** The Test Event Tool of v3: the event is checked and shown in Events Manager, and not counted. */
export const buildTest = (event: JsonObject, config: SnapConfig, auth: Auth): HttpRequest =>
  request('events/validate', [event], config, auth);

function request(
  path: string,
  events: readonly JsonObject[],
  { pixel_id }: SnapConfig,
  { credentials }: Auth,
): HttpRequest {
  const query = new URLSearchParams({ access_token: credentials['access_token'] ?? '' });
  return postJson(`https://${HOST}/v3/${pixel_id}/${path}?${query}`, { data: events });
}
