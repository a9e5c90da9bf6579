import { createHmac } from 'node:crypto';
import type { JsonObject } from '@ghostlight/core';
import type { Auth, HttpRequest } from '../port.ts';
import { compact, postJson } from '../requests.ts';
import type { Config } from './config.ts';

export const HOST = 'graph.facebook.com';

export const build = (events: readonly JsonObject[], config: Config, auth: Auth): HttpRequest =>
  request(events, config, auth, null);

/** @param code of Events Manager → Test events: `TEST12345` */
export const buildTest = (event: JsonObject, config: Config, auth: Auth, code: string | null): HttpRequest =>
  request([event], config, auth, code);

/** The token goes in the body: addresses end up in logs. */
function request(
  data: readonly JsonObject[],
  config: Config,
  { credentials }: Auth,
  testCode: string | null,
): HttpRequest {
  const token = credentials['access_token'] ?? '';
  const secret = credentials['app_secret'];
  const path = [config.api_version, config.pixel_id, 'events'].map(encodeURIComponent).join('/');
  return postJson(
    `https://${HOST}/${path}`,
    compact({
      data,
      test_event_code: testCode,
      access_token: token,
      appsecret_proof: secret === undefined ? null : createHmac('sha256', secret).update(token).digest('hex'),
    }),
  );
}
