/** The list of pages. Rails, phone menus, shortcuts and their help are made of it. */
import type { ComponentType, ReactNode } from 'react';
import {
  IconAlerts,
  IconAudit,
  IconBots,
  IconCollectors,
  IconConversions,
  IconDeliveries,
  IconDestinations,
  IconFailures,
  IconKey,
  IconLive,
  IconOrganization,
  IconOverview,
  IconPages,
  IconPeople,
  IconPerson,
  IconReferrals,
  IconScript,
  IconSettings,
  IconSetup,
  IconShare,
  IconToken,
  IconTools,
  IconTrust,
  IconVisits,
  IconWebhooks,
} from '../../parts/icons.tsx';
import type { Permission } from '../session/may.ts';
import { OpenAlerts, SetupState } from './badges.tsx';

export interface PageEntry {
  readonly name: PageName;
  readonly label: string;
  readonly icon: ReactNode;
  /** Pressed after `g`. */
  readonly key: string;
  /** The page has controls that change something: without the permission, its head says "Read-only". */
  readonly changes?: true;
  /** Shown beside the label, such as a number of open alerts. */
  readonly Badge?: ComponentType<{ propertyId: string }>;
}

export interface PageGroup {
  /** Empty for the first group, which has no title. */
  readonly title: string;
  readonly pages: readonly PageEntry[];
}

/** In the order of the rail: daily pages first, then set-up. */
const GROUPS = [
  {
    title: '',
    pages: [
      { name: 'overview', label: 'Overview', icon: <IconOverview />, key: 'o' },
      { name: 'live', label: 'Live', icon: <IconLive />, key: 'l' },
      { name: 'visits', label: 'Visits', icon: <IconVisits />, key: 'x' },
    ],
  },
  {
    title: 'AI traffic',
    pages: [
      { name: 'bots', label: 'Bots', icon: <IconBots />, key: 'b' },
      { name: 'pages', label: 'Pages', icon: <IconPages />, key: 'p', changes: true },
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
      { name: 'deliveries', label: 'Deliveries', icon: <IconDeliveries />, key: 'v', changes: true },
      { name: 'destinations', label: 'Destinations', icon: <IconDestinations />, key: 'f', changes: true },
      { name: 'webhooks', label: 'Webhooks', icon: <IconWebhooks />, key: 'h', changes: true },
      { name: 'sdk', label: 'SDK', icon: <IconScript />, key: 'd', changes: true },
    ],
  },
  {
    title: 'Site',
    pages: [
      { name: 'setup', label: 'Set-up', icon: <IconSetup />, key: 's', changes: true, Badge: SetupState },
      { name: 'collectors', label: 'Collectors', icon: <IconCollectors />, key: 'i' },
      { name: 'alerts', label: 'Alerts', icon: <IconAlerts />, key: 'n', changes: true, Badge: OpenAlerts },
      { name: 'webmcp', label: 'WebMCP', icon: <IconTools />, key: 'w', changes: true },
      { name: 'keys', label: 'Keys', icon: <IconKey />, key: 'k', changes: true },
      { name: 'settings', label: 'Settings', icon: <IconSettings />, key: ',', changes: true },
    ],
  },
] as const satisfies readonly {
  title: string;
  pages: readonly (Omit<PageEntry, 'name'> & { name: string })[];
}[];

export type PageName = (typeof GROUPS)[number]['pages'][number]['name'];
export const PAGE_GROUPS: readonly PageGroup[] = GROUPS;

/** On a phone these are in the bar at the bottom; the others are in its menu. */
export const DAILY_PAGES: readonly PageName[] = ['overview', 'live', 'bots', 'conversions'];

export const PAGES: readonly PageEntry[] = PAGE_GROUPS.flatMap(({ pages }) => pages);

/** Pages of the account and the organization, outside the properties. */
export interface PeoplePage {
  readonly to:
    | '/account'
    | '/organization'
    | '/organization/members'
    | '/organization/tokens'
    | '/organization/audit';
  readonly label: string;
  readonly icon: ReactNode;
  /** Without this permission the page is not listed. */
  readonly permission: Permission | null;
}

export const PEOPLE_PAGES: readonly PeoplePage[] = [
  { to: '/account', label: 'Your account', icon: <IconPerson />, permission: 'account' },
  { to: '/organization', label: 'Organization', icon: <IconOrganization />, permission: null },
  { to: '/organization/members', label: 'Members', icon: <IconPeople />, permission: null },
  { to: '/organization/tokens', label: 'API tokens', icon: <IconToken />, permission: 'tokens' },
  { to: '/organization/audit', label: 'Audit log', icon: <IconAudit />, permission: 'audit' },
];
