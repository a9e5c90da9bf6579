import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { OWN_NAME } from '../gates.ts';
import type { Destination } from '../port.ts';
import { build, buildTest, HOST } from './build.ts';
import { classify } from './classify.ts';
import { config, credentials, type RedditConfig } from './config.ts';
import { map, STANDARD_TYPES } from './map.ts';

/**
 * Reddit Conversions API v3. Confirmed by its OpenAPI document (as connectors quote it) and its guide: address, members, types in
 * capitals, `action_source`, seven days, duplicates by `conversion_id`. By connectors alone: five minutes ahead, the form of
 * `invalid_events` (v2). Disputed: whether `test_id` is in the body, as here and in every connector, or in the address.
 */
export const reddit: Destination<RedditConfig> = {
  platform: 'reddit',
  title: 'Reddit',
  summary: 'Reports conversions to Reddit Ads through the Conversions API, with or without the Reddit Pixel.',
  documentation: 'https://ads-api.reddit.com/docs/v3/guides/programs/capi/direct-integration',
  hosts: [HOST],
  consent: 'advertising',
  config,
  credentials,
  events: {
    label: 'Event type, or the name of a custom event',
    pattern: /^[A-Za-z0-9_][A-Za-z0-9_ .:-]{0,63}$/,
    example: 'PURCHASE',
    choices: STANDARD_TYPES,
    defaults: {
      purchase: { name: 'PURCHASE' },
      lead: { name: 'LEAD' },
      signup: { name: 'SIGN_UP' },
      // Reddit has no such type; this becomes a custom event.
      subscription: { name: 'Subscribe' },
      refund: null,
      custom: { name: OWN_NAME },
    },
  },
  limits: {
    maxBatch: 1000,
    maxBytes: 1_000_000,
    maxAgeMs: 7 * DAY_MS,
    maxFutureMs: 5 * MINUTE_MS,
    perMinute: 5000,
    timeoutMs: 10_000,
  },
  guarantee: () => 'dedup',
  plainFields: ['ip_address', 'user_agent'],
  map,
  build,
  classify,
  test: {
    kind: 'code',
    explanation:
      'In Reddit Events Manager open your pixel, then Test events, and copy the test ID that is shown there. The event appears in that view and is not counted.',
  },
  buildTest,
};
