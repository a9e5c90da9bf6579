import { DAY_MS } from '@ghostlight/core/time';
import type { Destination } from '../port.ts';
import { build, HOST } from './build.ts';
import { classify } from './classify.ts';
import { config, credentials, type MicrosoftConfig } from './config.ts';
import { map } from './map.ts';

/**
 * Microsoft Advertising UET Conversions API. Confirmed by connectors in use, which cite Microsoft's guide: address, token, body, answers,
 * 1,000 events. Not confirmed: that two copies from a server are counted once (that of the tag and that of a server are), the form of a
 * click id (sent as landed; one connector writes it as a UUID), and a limit of requests.
 */
export const microsoft: Destination<MicrosoftConfig> = {
  platform: 'microsoft',
  title: 'Microsoft Advertising',
  summary: 'Reports conversions to Microsoft Advertising (Bing, Copilot) through the UET Conversions API.',
  documentation: 'https://learn.microsoft.com/en-us/advertising/guides/uet-conversion-api-integration',
  hosts: [HOST],
  consent: ({ send_denied }) => (send_denied ? 'none' : 'advertising'),
  config,
  credentials,
  events: {
    label: 'Event action of the conversion goal',
    pattern: /^[A-Za-z0-9_][A-Za-z0-9_ .:-]{0,99}$/,
    example: 'purchase',
    choices: ['purchase', 'submit_lead_form', 'signup', 'subscribe', 'contact', 'book_appointment'],
    // A goal counts by the action that was entered in it, which only the operator knows.
    defaults: {
      purchase: 'needs_mapping',
      lead: 'needs_mapping',
      signup: 'needs_mapping',
      subscription: 'needs_mapping',
      refund: null,
      custom: 'needs_mapping',
    },
  },
  limits: {
    maxBatch: 1000,
    maxBytes: 1_000_000,
    maxAgeMs: 7 * DAY_MS,
    maxFutureMs: 0,
    perMinute: null,
    timeoutMs: 10_000,
  },
  // By `eventId` within a tag.
  guarantee: () => 'dedup',
  plainFields: ['clientIpAddress', 'clientUserAgent'],
  map,
  build,
  classify,
  test: {
    kind: 'none',
    explanation:
      'Microsoft has no test mode for the Conversions API. Create a conversion goal for tests with an event action of its own, map the event to it and send a live test: the goal shows it within a day.',
  },
  buildTest: (event, config, auth) => build([event], config, auth),
};
