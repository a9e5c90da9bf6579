import { DAY_MS } from '@ghostlight/core/time';
import type { Destination } from '../port.ts';
import { build, HOST } from './build.ts';
import { classify } from './classify.ts';
import { config, credentials, type LinkedinConfig } from './config.ts';
import { map } from './map.ts';
import { oauth, TOKEN_HOST } from './oauth.ts';

/**
 * LinkedIn Conversions API. Confirmed by its documentation: address, headers, 90 days, 5,000 events, 600 requests in a minute and
 * 300,000 in a day, `externalIds` of one. By connectors alone: the form of 422, 64 characters of an event id. Not confirmed: whether
 * dots and tags of an email address are to stay; they do, as everywhere that does not say otherwise.
 */
export const linkedin: Destination<LinkedinConfig> = {
  platform: 'linkedin',
  title: 'LinkedIn',
  summary:
    'Reports conversions to LinkedIn Ads through the Conversions API, each to one of your conversion rules.',
  documentation:
    'https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/conversions-api',
  hosts: [HOST, TOKEN_HOST],
  consent: 'advertising',
  config,
  credentials,
  events: {
    label: 'Conversion rule ID',
    pattern: /^[0-9]{1,20}$/,
    example: '23456',
    choices: [],
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
    maxBatch: 5000,
    maxBytes: 1_000_000,
    maxAgeMs: 90 * DAY_MS,
    maxFutureMs: 0,
    perMinute: 600,
    timeoutMs: 10_000,
  },
  // By `eventId`. LinkedIn says so of a copy by its tag and one by the API; of two by the API nothing is written.
  guarantee: () => 'dedup',
  plainFields: ['firstName', 'lastName', 'countryCode'],
  map,
  build,
  classify,
  oauth,
  test: {
    kind: 'none',
    explanation:
      'LinkedIn has no test mode. Create a conversion rule for tests in Campaign Manager (method: Conversions API), map the event to its ID, and send a live test: it appears under the rule within a day, and counts only there.',
  },
  buildTest: (event, config, auth) => build([event], config, auth),
};
