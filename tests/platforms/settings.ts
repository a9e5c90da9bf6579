/** How an operator would set up a destination for each fake: config, credentials, and a mapping of every topic that a platform can take. */
import { GA4 } from './ga4.ts';
import { GOOGLE } from './google.ts';
import type { PlatformName } from './index.ts';
import { LINKEDIN } from './linkedin.ts';
import { META } from './meta.ts';
import { MICROSOFT } from './microsoft.ts';
import { OPENAI } from './openai.ts';
import { PINTEREST } from './pinterest.ts';
import { REDDIT } from './reddit.ts';
import { SNAP } from './snap.ts';
import { TIKTOK } from './tiktok.ts';
import { WEBHOOK } from './webhook.ts';

export interface Settings {
  readonly config: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<string, string>>;
  /** Topic → the platform's event. */
  readonly events: Readonly<Record<string, string | null>>;
}

const TOPICS = ['purchase', 'lead', 'signup', 'subscription', 'custom'] as const;
const each = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(TOPICS.map((topic, index) => [topic, names[index] ?? '']));

/** @param secrets of the fake: what it gives out or asks for now */
export function settingsFor(name: PlatformName, secrets: Readonly<Record<string, string>>): Settings {
  const oauth = {
    client_id: secrets['client_id'] ?? '',
    client_secret: secrets['client_secret'] ?? '',
    refresh_token: secrets['refresh_token'] ?? '',
  };
  const all: Record<PlatformName, Settings> = {
    meta: { config: { pixel_id: META.pixel }, credentials: { access_token: META.token }, events: {} },
    google_ads: {
      config: { customer_id: GOOGLE.operatingAccount, login_customer_id: GOOGLE.loginAccount },
      credentials: oauth,
      events: each(GOOGLE.actions),
    },
    ga4: {
      config: { measurement_id: GA4.measurementId },
      credentials: { api_secret: GA4.apiSecret },
      events: {},
    },
    tiktok: { config: { pixel_code: TIKTOK.pixel }, credentials: { access_token: TIKTOK.token }, events: {} },
    linkedin: { config: {}, credentials: oauth, events: each(LINKEDIN.rules) },
    microsoft: {
      config: { tag_id: MICROSOFT.tag },
      credentials: { access_token: MICROSOFT.token },
      events: each(['purchase', 'submit_lead_form', 'signup', 'subscribe', 'custom']),
    },
    pinterest: {
      config: { ad_account_id: PINTEREST.account },
      credentials: { access_token: PINTEREST.token },
      events: {},
    },
    snap: {
      config: { pixel_id: SNAP.pixel },
      credentials: { access_token: SNAP.token },
      events: { lead: 'CUSTOM_EVENT_1', custom: 'CUSTOM_EVENT_2' },
    },
    reddit: { config: { pixel_id: REDDIT.pixel }, credentials: { access_token: REDDIT.token }, events: {} },
    openai: { config: { pixel_id: OPENAI.pixel }, credentials: { api_key: OPENAI.token }, events: {} },
    webhook: { config: { url: WEBHOOK.url }, credentials: { signing_secret: WEBHOOK.secret }, events: {} },
  };
  return all[name];
}
