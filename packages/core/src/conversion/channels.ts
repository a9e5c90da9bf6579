/**
 * The channel of an arrival: an ordered list of rules, the first that holds counts. GA4's default channel group (support page 9756891),
 * with AI Assistant before everything unpaid: an assistant of a search engine's own would else be search, and every other a referral.
 */
import type { SourceKind } from './sources.ts';

/** Id → name as reports show it. */
export const CHANNELS = {
  direct: 'Direct',
  cross_network: 'Cross-network',
  paid_shopping: 'Paid Shopping',
  paid_search: 'Paid Search',
  paid_social: 'Paid Social',
  paid_video: 'Paid Video',
  display: 'Display',
  paid_other: 'Paid Other',
  ai_assistant: 'AI Assistant',
  organic_shopping: 'Organic Shopping',
  organic_social: 'Organic Social',
  organic_video: 'Organic Video',
  organic_search: 'Organic Search',
  email: 'Email',
  affiliates: 'Affiliates',
  referral: 'Referral',
  audio: 'Audio',
  sms: 'SMS',
  mobile_push: 'Mobile Push',
  unassigned: 'Unassigned',
} as const;
export type Channel = keyof typeof CHANNELS;

/** What the rules look at; texts in lower case. */
export interface ChannelSigns {
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  /** Of the source; of an ad's platform where the source says nothing. */
  readonly kind: SourceKind | null;
  readonly isAi: boolean;
  /** By a click id or the medium. */
  readonly paid: boolean;
}

const PAID_MEDIUM = /^(?:.*cp.*|ppc|retargeting|paid.*)$/;
/** Display whatever the source; `cpm` is a price, and on a search engine or a network theirs. */
const ALWAYS_DISPLAY = ['display', 'banner', 'expandable', 'interstitial'];
const DISPLAY_MEDIA = [...ALWAYS_DISPLAY, 'cpm'];
/** `shop` not as part of `bishop` or `workshop`: GA4's own pattern. */
const SHOPPING_CAMPAIGN = /^(?:.*(?:(?:[^a-df-z]|^)shop|shopping).*)$/;
const SOCIAL_MEDIA = ['social', 'social-network', 'social-media', 'sm', 'social network', 'social media'];
const EMAIL = ['email', 'e-mail', 'e_mail', 'e mail', 'newsletter'];
const REFERRAL_MEDIA = ['referral', 'app', 'link'];

const isDisplay = ({ medium }: ChannelSigns): boolean => DISPLAY_MEDIA.includes(medium);
const isShopping = ({ kind, campaign }: ChannelSigns): boolean =>
  kind === 'shopping' || SHOPPING_CAMPAIGN.test(campaign);

/** @param medium lower-case @returns whether the link was paid for */
export const isPaidMedium = (medium: string): boolean =>
  PAID_MEDIUM.test(medium) || DISPLAY_MEDIA.includes(medium);

const RULES: readonly (readonly [Channel, (signs: ChannelSigns) => boolean])[] = [
  ['direct', ({ source, medium }) => source === '(direct)' && medium === '(none)'],
  ['cross_network', ({ campaign }) => campaign.includes('cross-network')],
  ['display', ({ medium }) => ALWAYS_DISPLAY.includes(medium)],
  ['paid_shopping', (signs) => signs.paid && isShopping(signs)],
  ['paid_search', ({ paid, kind }) => paid && kind === 'search'],
  ['paid_social', ({ paid, kind }) => paid && kind === 'social'],
  ['paid_video', ({ paid, kind }) => paid && kind === 'video'],
  ['display', isDisplay],
  ['paid_other', ({ paid }) => paid],
  ['ai_assistant', ({ isAi, medium }) => isAi || medium === 'ai-assistant'],
  ['organic_shopping', isShopping],
  ['organic_social', ({ kind, medium }) => kind === 'social' || SOCIAL_MEDIA.includes(medium)],
  ['organic_video', ({ kind, medium }) => kind === 'video' || medium.includes('video')],
  ['organic_search', ({ kind, medium }) => kind === 'search' || medium === 'organic'],
  [
    'email',
    ({ source, medium, kind }) => kind === 'email' || EMAIL.includes(source) || EMAIL.includes(medium),
  ],
  ['affiliates', ({ medium }) => medium === 'affiliate' || medium === 'affiliates'],
  ['referral', ({ medium }) => REFERRAL_MEDIA.includes(medium)],
  ['audio', ({ medium }) => medium === 'audio'],
  ['sms', ({ source, medium }) => source === 'sms' || medium === 'sms'],
  [
    'mobile_push',
    ({ source, medium }) =>
      medium.endsWith('push') || /mobile|notification/.test(medium) || source === 'firebase',
  ],
];

export const channelOf = (signs: ChannelSigns): Channel =>
  RULES.find(([, holds]) => holds(signs))?.[0] ?? 'unassigned';
