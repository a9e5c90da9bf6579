import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { OWN_NAME } from '../gates.ts';
import type { Destination } from '../port.ts';
import { build, buildTest, HOST } from './build.ts';
import { classify } from './classify.ts';
import { config, credentials, type OpenaiConfig } from './config.ts';
import { map } from './map.ts';
import { CUSTOM_NAME, STANDARD_EVENTS } from './types.ts';

/**
 * OpenAI Ads Conversions API. Confirmed by OpenAI's documentation: address, key, members, data types, names, seven days, ten minutes
 * ahead, 1,000 events, a batch failing whole, duplicates by `type` and `id`, `validate_only`. Not documented: the form of its answers,
 * a limit of requests, where `obref` stands (it is sent in `user`). Accounts in the EU were not admitted when this was written.
 */
export const openai: Destination<OpenaiConfig> = {
  platform: 'openai',
  title: 'OpenAI Ads',
  summary: 'Reports conversions to OpenAI Ads (ads in ChatGPT) through the Conversions API.',
  documentation: 'https://developers.openai.com/ads/conversions-api',
  hosts: [HOST],
  consent: ({ send_denied }) => (send_denied ? 'none' : 'advertising'),
  config,
  credentials,
  events: {
    label: 'Event type, or the name of a custom event',
    pattern: CUSTOM_NAME,
    example: 'order_created',
    choices: STANDARD_EVENTS,
    defaults: {
      purchase: { name: 'order_created' },
      lead: { name: 'lead_created' },
      signup: { name: 'registration_completed' },
      subscription: { name: 'subscription_created' },
      refund: null,
      custom: { name: OWN_NAME },
    },
  },
  limits: {
    maxBatch: 1000,
    maxBytes: 1_000_000,
    maxAgeMs: 7 * DAY_MS,
    maxFutureMs: 10 * MINUTE_MS,
    perMinute: null,
    timeoutMs: 10_000,
  },
  guarantee: () => 'dedup',
  plainFields: ['ip_address', 'user_agent', 'country', 'city', 'zip_code'],
  map,
  build,
  classify,
  test: {
    kind: 'validate',
    explanation: 'OpenAI checks the event and saves nothing (validate_only).',
  },
  buildTest,
};
