import { DAY_MS } from '@ghostlight/core/time';
import { OWN_NAME } from '../gates.ts';
import type { Destination } from '../port.ts';
import { build, buildTest, HOST } from './build.ts';
import { classify } from './classify.ts';
import { config, credentials, type TiktokConfig } from './config.ts';
import { map } from './map.ts';

/**
 * TikTok Events API 2.0. Confirmed by connectors in use: address, header, the codes 0, 20001, 40001, 40002, 40100 and, by TikTok's list
 * of return codes, 40105. Not confirmed by TikTok: the oldest event, requests in a minute (1,000 in a second are said), bytes of a body.
 */
export const tiktok: Destination<TiktokConfig> = {
  platform: 'tiktok',
  title: 'TikTok',
  summary: 'Reports conversions to TikTok Ads through the Events API, with or without the TikTok pixel.',
  documentation: 'https://business-api.tiktok.com/portal/docs?id=1771100865818625',
  hosts: [HOST],
  consent: 'advertising',
  config,
  credentials,
  events: {
    label: 'Event name',
    pattern: /^[A-Za-z][A-Za-z0-9_ -]{0,49}$/,
    example: 'Purchase',
    choices: [
      'Purchase',
      'CompletePayment',
      'PlaceAnOrder',
      'Lead',
      'SubmitForm',
      'CompleteRegistration',
      'Subscribe',
      'StartTrial',
      'Contact',
      'Schedule',
      'SubmitApplication',
      'Download',
    ],
    defaults: {
      purchase: { name: 'Purchase' },
      lead: { name: 'Lead' },
      signup: { name: 'CompleteRegistration' },
      subscription: { name: 'Subscribe' },
      refund: null,
      custom: { name: OWN_NAME },
    },
  },
  limits: ({ max_age_days }) => ({
    maxBatch: 1000,
    maxBytes: 1_000_000,
    maxAgeMs: max_age_days * DAY_MS,
    maxFutureMs: 0,
    perMinute: null,
    timeoutMs: 10_000,
  }),
  // One event is kept per `event` and `event_id` within 48 hours; nothing is tried for longer than 24.
  guarantee: () => 'dedup',
  plainFields: ['ip', 'user_agent', 'city', 'state', 'country'],
  map,
  build,
  classify,
  test: {
    kind: 'code',
    explanation:
      'In TikTok Events Manager open your pixel, then Test events, and copy the code that is shown there. The event appears in that view within a minute and is not counted.',
  },
  buildTest,
};
