import type { Destination } from '../port.ts';
import { build, buildTest, HOST } from './build.ts';
import { classify } from './classify.ts';
import { config, credentials, type PinterestConfig } from './config.ts';
import { map } from './map.ts';

/**
 * Pinterest API for Conversions, v5. Confirmed by its OpenAPI document (5.23.0): everything that is sent and read here. It names no
 * oldest event, so none is held back; what arrives more than an hour late counts as offline. It has no field for a refusal that could
 * be sent without naming the person, hence no switch for that.
 */
export const pinterest: Destination<PinterestConfig> = {
  platform: 'pinterest',
  title: 'Pinterest',
  summary:
    'Reports conversions to Pinterest Ads through the API for Conversions, with or without the Pinterest tag.',
  documentation: 'https://developers.pinterest.com/docs/track-conversions/track-conversions-in-the-api/',
  hosts: [HOST],
  consent: 'advertising',
  config,
  credentials,
  events: {
    label: 'Event name',
    pattern: /^[a-z][a-z0-9_]{0,63}$/,
    example: 'checkout',
    choices: [
      'checkout',
      'lead',
      'signup',
      'subscribe',
      'custom',
      'add_to_cart',
      'add_to_wishlist',
      'add_payment_info',
      'initiate_checkout',
      'page_visit',
      'search',
      'view_category',
      'view_content',
      'watch_video',
    ],
    defaults: {
      purchase: { name: 'checkout' },
      lead: { name: 'lead' },
      signup: { name: 'signup' },
      subscription: { name: 'subscribe' },
      refund: null,
      // Names of one's own are taken, but missing from conversion reports.
      custom: { name: 'custom' },
    },
  },
  limits: {
    maxBatch: 1000,
    maxBytes: 2_000_000,
    maxAgeMs: null,
    maxFutureMs: 0,
    perMinute: 5000,
    timeoutMs: 10_000,
  },
  // By `event_id`.
  guarantee: () => 'dedup',
  plainFields: ['client_ip_address', 'client_user_agent'],
  map,
  build,
  classify,
  test: {
    kind: 'validate',
    explanation: 'Pinterest validates the event and answers as usual, but records nothing.',
  },
  buildTest,
};
