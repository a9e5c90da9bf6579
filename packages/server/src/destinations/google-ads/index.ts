/** Google Ads through the Data Manager API: https://developers.google.com/data-manager/api */
import { AS_PURCHASE } from '../gates.ts';
import type { Destination } from '../port.ts';
import { build, buildTest, HOST } from './build.ts';
import { classify } from './classify.ts';
import { type Config, config, credentials } from './config.ts';
import { MAX_AGE_MS, map } from './map.ts';
import { oauth, TOKEN_HOST } from './oauth.ts';
import { poll } from './poll.ts';

export const googleAds: Destination<Config> = {
  platform: 'google_ads',
  title: 'Google Ads',
  summary: 'Reports conversions from clicks to Google Ads, and their remaining value after refunds.',
  documentation: 'https://developers.google.com/data-manager/api',
  hosts: [HOST, TOKEN_HOST],
  consent: 'advertising',
  config,
  credentials,
  events: {
    label: 'Conversion action ID',
    pattern: /^[1-9]\d{0,19}$/,
    example: '456789012',
    choices: [],
    defaults: {
      purchase: 'needs_mapping',
      lead: 'needs_mapping',
      signup: 'needs_mapping',
      subscription: 'needs_mapping',
      // Anything but the purchase's own action would count the refund as a conversion.
      refund: { name: AS_PURCHASE },
      custom: 'needs_mapping',
    },
  },
  limits: {
    maxBatch: 2000,
    maxBytes: 8_000_000,
    maxAgeMs: MAX_AGE_MS,
    maxFutureMs: 0,
    perMinute: 300,
    timeoutMs: 30_000,
  },
  // By conversion action and transaction id.
  guarantee: () => 'dedup',
  plainFields: ['regionCode', 'postalCode'],
  map,
  build,
  classify,
  poll,
  oauth,
  test: {
    kind: 'validate',
    explanation:
      'Google checks access, account, conversion action and the form of the example event, and discards it. Nothing is counted.',
  },
  buildTest,
};
