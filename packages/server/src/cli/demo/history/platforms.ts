/** The pretended platforms as destinations of the demo's property: with names that can't be mistaken for real ones. */
import { CRM_HOST, EXPIRED_TOKEN } from '../pretend.ts';

interface NewDestination {
  readonly platform: string;
  readonly name: string;
  readonly config: object;
  readonly credentials: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, string>>;
}

const PRETENDED = 'pretended-by-the-demo';
const TOPICS = ['purchase', 'lead', 'signup', 'subscription', 'custom'] as const;

/** Its token expired once. */
export const EXPIRING: NewDestination = {
  platform: 'meta',
  name: 'Meta (demo)',
  config: { pixel_id: '1000000000001' },
  credentials: { access_token: PRETENDED },
  events: {},
};
export const EXPIRED_CREDENTIALS = { access_token: EXPIRED_TOKEN };

/** Connected a month ago. */
export const DESTINATIONS: readonly NewDestination[] = [
  EXPIRING,
  {
    platform: 'google_ads',
    name: 'Google Ads (demo)',
    config: { customer_id: '100-000-0001' },
    credentials: { client_id: PRETENDED, client_secret: PRETENDED, refresh_token: PRETENDED },
    events: Object.fromEntries(TOPICS.map((topic, index) => [topic, String(100_001 + index)])),
  },
  {
    platform: 'ga4',
    name: 'Google Analytics (demo)',
    config: { measurement_id: 'G-DEMO00001' },
    credentials: { api_secret: PRETENDED },
    events: {},
  },
  {
    platform: 'webhook',
    name: 'CRM (demo)',
    config: { url: `https://${CRM_HOST}/conversions`, consent: 'analytics', user_data: 'none' },
    credentials: { signing_secret: `whsec_${Buffer.alloc(24, 'demo').toString('base64')}` },
    events: {},
  },
];

/** Connected last, and paused some days ago: what it would get waits. */
export const PAUSED: NewDestination = {
  platform: 'tiktok',
  name: 'TikTok (demo, paused)',
  config: { pixel_code: 'DEMODEMODEMODEMO1' },
  credentials: { access_token: PRETENDED },
  events: {},
};

/** Days ago. */
export const CONNECTED_AGO = 30;
export const PAUSED_AGO = 4;
