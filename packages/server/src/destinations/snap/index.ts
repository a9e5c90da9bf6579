import { DAY_MS } from '@ghostlight/core/time';
import type { Destination } from '../port.ts';
import { build, buildTest, HOST } from './build.ts';
import { classify } from './classify.ts';
import { config, credentials, type SnapConfig } from './config.ts';
import { EVENT_NAME, EVENTS } from './events.ts';
import { map } from './map.ts';

/**
 * Snap Conversions API v3. Confirmed by Snap's documentation: address, members, normalisation, 37 days, 2,000 events, the validate
 * address, `event_id` as the key of duplicates, 400 with `INVALID`. By reports of users: 200 with `VALID`. Not confirmed: for how long
 * a key is remembered (48 hours are said), and a limit of requests.
 */
export const snap: Destination<SnapConfig> = {
  platform: 'snap',
  title: 'Snapchat',
  summary: 'Reports conversions to Snapchat Ads through the Conversions API, with or without the Snap Pixel.',
  documentation: 'https://developers.snap.com/api/marketing-api/Conversions-API',
  hosts: [HOST],
  consent: 'advertising',
  config,
  credentials,
  events: {
    label: 'Event name',
    pattern: EVENT_NAME,
    example: 'PURCHASE',
    choices: EVENTS,
    defaults: {
      purchase: { name: 'PURCHASE' },
      // Snap has no event for leads: a slot of their own, so that they are not counted as sign-ups.
      lead: { name: 'CUSTOM_EVENT_2' },
      signup: { name: 'SIGN_UP' },
      subscription: { name: 'SUBSCRIBE' },
      refund: null,
      // Several custom events are told apart by mapping each to a slot of its own.
      custom: { name: 'CUSTOM_EVENT_1' },
    },
  },
  limits: {
    maxBatch: 2000,
    maxBytes: 1_000_000,
    maxAgeMs: 37 * DAY_MS,
    maxFutureMs: 0,
    perMinute: null,
    timeoutMs: 10_000,
  },
  guarantee: () => 'dedup',
  plainFields: ['client_ip_address', 'client_user_agent'],
  map,
  build,
  classify,
  test: {
    kind: 'validate',
    explanation:
      'Snap checks the event without counting it. It also appears in Events Manager → your pixel → Test events.',
  },
  buildTest,
};
