import type { JsonObject } from '@ghostlight/core';
import type { Auth, HttpRequest } from '../port.ts';
import { postJson } from '../requests.ts';
import type { OpenaiConfig } from './config.ts';

export const HOST = 'bzr.openai.com';

export const build = (events: readonly JsonObject[], config: OpenaiConfig, auth: Auth): HttpRequest =>
  request(events, config, auth, false);

export const buildTest = (event: JsonObject, config: OpenaiConfig, auth: Auth): HttpRequest =>
  request([event], config, auth, true);

function request(
  events: readonly JsonObject[],
  { pixel_id }: OpenaiConfig,
  { credentials }: Auth,
  validateOnly: boolean,
): HttpRequest {
  return postJson(
    `https://${HOST}/v1/events?${new URLSearchParams({ pid: pixel_id })}`,
    { validate_only: validateOnly, events },
    { authorization: `Bearer ${credentials['api_key'] ?? ''}` },
  );
}
