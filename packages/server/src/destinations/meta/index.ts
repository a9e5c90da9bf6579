/** Meta Conversions API: https://developers.facebook.com/docs/marketing-api/conversions-api */
import { DAY_MS } from '@ghostlight/core/time';
import { OWN_NAME } from '../gates.ts';
import type { Destination } from '../port.ts';
import { build, buildTest, HOST } from './build.ts';
import { classify } from './classify.ts';
import { type Config, config, credentials } from './config.ts';
import { map } from './map.ts';

export const meta: Destination<Config> = {
  platform: 'meta',
  title: 'Meta Conversions API',
  summary: 'Reports purchases, leads and sign-ups from ads on Facebook and Instagram to Meta.',
  documentation: 'https://developers.facebook.com/docs/marketing-api/conversions-api',
  hosts: [HOST],
  consent: 'advertising',
  config,
  credentials,
  events: {
    label: 'Event name',
    pattern: /^[A-Za-z0-9][A-Za-z0-9 _-]{0,49}$/,
    example: 'Purchase',
    choices: [
      'Purchase',
      'Lead',
      'CompleteRegistration',
      'Subscribe',
      'StartTrial',
      'Schedule',
      'Contact',
      'SubmitApplication',
      'AddToCart',
      'InitiateCheckout',
    ],
    defaults: {
      purchase: { name: 'Purchase' },
      lead: { name: 'Lead' },
      signup: { name: 'CompleteRegistration' },
      subscription: { name: 'Subscribe' },
      // Nothing that Meta takes lowers the value of a purchase.
      refund: null,
      custom: { name: OWN_NAME },
    },
  },
  limits: {
    maxBatch: 1000,
    maxBytes: 4_000_000,
    maxAgeMs: 7 * DAY_MS,
    maxFutureMs: 0,
    perMinute: null,
    timeoutMs: 10_000,
  },
  // By event name and event id, for 48 hours; attempts end after 24.
  guarantee: () => 'dedup',
  plainFields: ['client_ip_address', 'client_user_agent'],
  map,
  build,
  classify,
  test: {
    kind: 'code',
    explanation:
      'Open Meta Events Manager → your dataset → Test events and copy the code (TEST…) here. The example event appears there within a minute and is not counted.',
  },
  buildTest,
};
