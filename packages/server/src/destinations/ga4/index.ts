/** GA4 Measurement Protocol: https://developers.google.com/analytics/devguides/collection/protocol/ga4 */

import { HOUR_MS } from '@ghostlight/core/time';
import { OWN_NAME } from '../gates.ts';
import type { Destination } from '../port.ts';
import { build, buildTest } from './build.ts';
import { classify } from './classify.ts';
import { type Config, config, credentials, HOSTS } from './config.ts';
import { map } from './map.ts';
import { EVENT_NAME } from './names.ts';

export const ga4: Destination<Config> = {
  platform: 'ga4',
  title: 'Google Analytics 4',
  summary: 'Adds your server’s conversions to the visitors and sessions that Google Analytics has measured.',
  documentation: 'https://developers.google.com/analytics/devguides/collection/protocol/ga4',
  hosts: Object.values(HOSTS),
  consent: 'analytics',
  config,
  credentials,
  events: {
    label: 'Event name',
    pattern: EVENT_NAME,
    example: 'generate_lead',
    choices: [
      'purchase',
      'generate_lead',
      'sign_up',
      'refund',
      'subscription_start',
      'qualify_lead',
      'close_convert_lead',
    ],
    defaults: {
      purchase: { name: 'purchase' },
      lead: { name: 'generate_lead' },
      signup: { name: 'sign_up' },
      subscription: { name: 'subscription_start' },
      refund: { name: 'refund' },
      custom: { name: OWN_NAME },
    },
  },
  limits: {
    // The visitor is the request's, not the event's.
    maxBatch: 1,
    maxBytes: 130_000,
    maxAgeMs: 72 * HOUR_MS,
    maxFutureMs: 0,
    perMinute: null,
    timeoutMs: 10_000,
  },
  // Purchases are counted once per transaction id; everything else as often as it is sent.
  guarantee: ({ topic }) => (topic === 'purchase' ? 'dedup' : 'at_most_once'),
  plainFields: ['city', 'region', 'postal_code', 'country'],
  map,
  build,
  classify,
  test: {
    kind: 'validate',
    explanation:
      'Google validates the example event and discards it. It doesn’t check the API secret: Realtime shows whether that is right after the first conversion.',
  },
  buildTest,
};
