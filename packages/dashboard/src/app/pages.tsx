/** Every page of a property, once: the rail, the phone's menu, the shortcuts and their help are made of this list. */
import type { ReactNode } from 'react';
import {
  IconBots,
  IconCollectors,
  IconConversions,
  IconDeliveries,
  IconDestinations,
  IconFailures,
  IconKey,
  IconLive,
  IconOverview,
  IconPages,
  IconReferrals,
  IconScript,
  IconSettings,
  IconSetup,
  IconShare,
  IconTools,
  IconTrust,
  IconWebhooks,
} from '../parts/icons.tsx';

export type PageName =
  | 'overview'
  | 'live'
  | 'bots'
  | 'pages'
  | 'failures'
  | 'trust'
  | 'share'
  | 'referrals'
  | 'conversions'
  | 'deliveries'
  | 'destinations'
  | 'webhooks'
  | 'sdk'
  | 'setup'
  | 'collectors'
  | 'webmcp'
  | 'keys'
  | 'settings';

export interface PageEntry {
  readonly name: PageName;
  readonly label: string;
  readonly icon: ReactNode;
  /** Pressed after `g`. */
  readonly key: string;
}

export interface PageGroup {
  /** Empty for what stands above all groups. */
  readonly title: string;
  readonly pages: readonly PageEntry[];
}

/** In the order of the rail: what is looked at daily, then what is set up. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    title: '',
    pages: [
      { name: 'overview', label: 'Overview', icon: <IconOverview />, key: 'o' },
      { name: 'live', label: 'Live', icon: <IconLive />, key: 'l' },
    ],
  },
  {
    title: 'AI traffic',
    pages: [
      { name: 'bots', label: 'Bots', icon: <IconBots />, key: 'b' },
      { name: 'pages', label: 'Pages', icon: <IconPages />, key: 'p' },
      { name: 'failures', label: 'Failures', icon: <IconFailures />, key: 'e' },
      { name: 'trust', label: 'Trust', icon: <IconTrust />, key: 't' },
      { name: 'share', label: 'AI share', icon: <IconShare />, key: 'a' },
      { name: 'referrals', label: 'Referrals', icon: <IconReferrals />, key: 'r' },
    ],
  },
  {
    title: 'Conversions',
    pages: [
      { name: 'conversions', label: 'Conversions', icon: <IconConversions />, key: 'c' },
      { name: 'deliveries', label: 'Deliveries', icon: <IconDeliveries />, key: 'v' },
      { name: 'destinations', label: 'Destinations', icon: <IconDestinations />, key: 'f' },
      { name: 'webhooks', label: 'Webhooks', icon: <IconWebhooks />, key: 'h' },
      { name: 'sdk', label: 'SDK', icon: <IconScript />, key: 'd' },
    ],
  },
  {
    title: 'Site',
    pages: [
      { name: 'setup', label: 'Set-up', icon: <IconSetup />, key: 's' },
      { name: 'collectors', label: 'Collectors', icon: <IconCollectors />, key: 'i' },
      { name: 'webmcp', label: 'WebMCP', icon: <IconTools />, key: 'w' },
      { name: 'keys', label: 'Keys', icon: <IconKey />, key: 'k' },
      { name: 'settings', label: 'Settings', icon: <IconSettings />, key: ',' },
    ],
  },
];

/** On a phone these have a place at the bottom; the others are in the menu beside them. */
export const DAILY_PAGES: readonly PageName[] = ['overview', 'live', 'bots', 'conversions'];

export const PAGES: readonly PageEntry[] = PAGE_GROUPS.flatMap(({ pages }) => pages);
