/** Where a platform's IDs and tokens are found: its own page for advertisers. */
import type { Platform } from './api.ts';

export interface Console {
  readonly name: string;
  readonly address: string;
}

/** Absent: an endpoint of the operator's own, or a platform whose page is not known for sure. */
export const CONSOLES: Readonly<Partial<Record<Platform['platform'], Console>>> = {
  meta: { name: 'Meta Events Manager', address: 'https://business.facebook.com/events_manager2' },
  google_ads: { name: 'Google Ads', address: 'https://ads.google.com/' },
  ga4: { name: 'Google Analytics', address: 'https://analytics.google.com/' },
  tiktok: { name: 'TikTok Ads Manager', address: 'https://ads.tiktok.com/' },
  linkedin: { name: 'LinkedIn Campaign Manager', address: 'https://www.linkedin.com/campaignmanager/' },
  microsoft: { name: 'Microsoft Advertising', address: 'https://ads.microsoft.com/' },
  pinterest: { name: 'Pinterest Ads', address: 'https://ads.pinterest.com/' },
  snap: { name: 'Snapchat Ads Manager', address: 'https://ads.snapchat.com/' },
  reddit: { name: 'Reddit Ads', address: 'https://ads.reddit.com/' },
};
