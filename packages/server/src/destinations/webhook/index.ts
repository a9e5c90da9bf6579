/** Any server that takes signed requests: https://www.standardwebhooks.com */
import { DAY_MS } from '@ghostlight/core/time';
import type { Destination } from '../port.ts';
import { build } from './build.ts';
import { classify } from './classify.ts';
import { type Config, config, credentials } from './config.ts';
import { map } from './map.ts';

export const webhook: Destination<Config> = {
  platform: 'webhook',
  title: 'Webhook',
  summary: 'Posts every matched conversion, signed and with its attribution, to your server.',
  documentation: 'https://www.standardwebhooks.com',
  hosts: [],
  consent: (settings) => settings.consent,
  config,
  sealedUrls: ['url'],
  credentials,
  events: {
    label: 'Event type',
    pattern: /^[A-Za-z][A-Za-z0-9_-]{0,49}(?:\.[A-Za-z0-9_-]{1,50}){0,3}$/,
    example: 'conversion.purchase',
    choices: [],
    defaults: {
      purchase: { name: 'conversion.purchase' },
      lead: { name: 'conversion.lead' },
      signup: { name: 'conversion.signup' },
      subscription: { name: 'conversion.subscription' },
      refund: { name: 'conversion.refund' },
      custom: { name: 'conversion.custom' },
    },
  },
  limits: {
    maxBatch: 1,
    maxBytes: 512 * 1024,
    maxAgeMs: null,
    // Whatever its clock says: the receiver gets both times and decides for itself.
    maxFutureMs: DAY_MS,
    perMinute: null,
    timeoutMs: 15_000,
  },
  // By `webhook-id`.
  guarantee: () => 'dedup',
  plainFields: ['country'],
  map,
  build,
  classify,
  test: {
    kind: 'none',
    explanation:
      'The signed request is shown as it would be sent. Send it for real to see whether your server accepts it: it looks like any other conversion, with an example ID.',
  },
  buildTest: (event, settings, auth) => build([event], settings, auth),
};
