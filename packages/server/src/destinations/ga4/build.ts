import type { JsonObject } from '@ghostlight/core';
import type { Auth, HttpRequest } from '../port.ts';
import { postJson } from '../requests.ts';
import { type Config, HOSTS } from './config.ts';

export const build = ([event]: readonly JsonObject[], config: Config, auth: Auth): HttpRequest =>
  request('/mp/collect', event, config, auth);

/** Validates the form of an event and drops it. */
export const buildTest = (event: JsonObject, config: Config, auth: Auth): HttpRequest =>
  request('/debug/mp/collect', event, config, auth);

function request(
  path: string,
  event: JsonObject | undefined,
  config: Config,
  { credentials }: Auth,
): HttpRequest {
  const query = new URLSearchParams({
    measurement_id: config.measurement_id,
    api_secret: credentials['api_secret'] ?? '',
  });
  return postJson(`https://${HOSTS[config.collection]}${path}?${query}`, event ?? {});
}
