/** The list of pages, in sections. Rails, tabs, phone menus, shortcuts and their help are made of it. */
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
  IconSend,
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
  /** The section of the documentation that explains it, below `/docs/`: `reports#bots`. */
  readonly docs: string;
  /** The page has controls that change something: without the permission, its head says "Read-only". */
  readonly changes?: true;
  /** Shown beside the label, such as a number of open alerts. */
  readonly Badge?: ComponentType<{ propertyId: string }>;
}

/** An entry of the rail: one page, or several that are its tabs. Each page has its own address. */
export interface Section {
  readonly label: string;
  readonly icon: ReactNode;
  /** The first one opens from the rail. */
  readonly pages: readonly PageEntry[];
  /** Its pages are entries of a list of their own, not tabs. */
  readonly isListed?: true;
}

/** In the order of the rail: what is read daily, what came of it, then the site. At most twelve sections, which fit any desk's screen. */
const GROUPS = [
  {
    title: 'AI traffic',
    sections: [
      {
        label: 'Overview',
        icon: <IconOverview />,
        pages: [
          { name: 'overview', label: 'Overview', icon: <IconOverview />, key: 'o', docs: 'reports#overview' },
          { name: 'share', label: 'AI share', icon: <IconShare />, key: 'a', docs: 'reports#ai-share' },
        ],
      },
      alone({ name: 'live', label: 'Live', icon: <IconLive />, key: 'l', docs: 'reports#live' }),
      alone({ name: 'visits', label: 'Visits', icon: <IconVisits />, key: 'x', docs: 'reports#visits' }),
      alone({ name: 'bots', label: 'Bots', icon: <IconBots />, key: 'b', docs: 'reports#bots' }),
      {
        label: 'Pages',
        icon: <IconPages />,
        pages: [
          {
            name: 'pages',
            label: 'Pages',
            icon: <IconPages />,
            key: 'p',
            docs: 'reports#pages',
            changes: true,
          },
          { name: 'failures', label: 'Failures', icon: <IconFailures />, key: 'e', docs: 'reports#failures' },
        ],
      },
      alone({ name: 'trust', label: 'Trust', icon: <IconTrust />, key: 't', docs: 'reports#trust' }),
    ],
  },
  {
    title: 'Results',
    sections: [
      alone({
        name: 'referrals',
        label: 'Referrals',
        icon: <IconReferrals />,
        key: 'r',
        docs: 'reports#referrals',
      }),
      {
        label: 'Conversions',
        icon: <IconConversions />,
        pages: [
          {
            name: 'conversions',
            label: 'Conversions',
            icon: <IconConversions />,
            key: 'c',
            docs: 'reports#conversions',
          },
          {
            name: 'deliveries',
            label: 'Deliveries',
            icon: <IconDeliveries />,
            key: 'v',
            docs: 'forwarding#delivery',
            changes: true,
          },
          {
            name: 'destinations',
            label: 'Destinations',
            icon: <IconDestinations />,
            key: 'f',
            docs: 'forwarding#getting-started',
            changes: true,
          },
        ],
      },
    ],
  },
  {
    title: 'Site',
    sections: [
      {
        label: 'Data sources',
        icon: <IconSetup />,
        pages: [
          {
            name: 'setup',
            label: 'Setup',
            icon: <IconSetup />,
            key: 's',
            docs: 'sending-data',
            changes: true,
            Badge: SetupState,
          },
          {
            name: 'collectors',
            label: 'Collectors',
            icon: <IconCollectors />,
            key: 'i',
            docs: 'reports#collectors',
          },
          {
            name: 'keys',
            label: 'Ingest keys',
            icon: <IconKey />,
            key: 'k',
            docs: 'log-sources#change-a-key-without-losing-a-visit',
            changes: true,
          },
          {
            name: 'sdk',
            label: 'Browser script',
            icon: <IconScript />,
            key: 'd',
            docs: 'sdk#installing-it',
            changes: true,
          },
          {
            name: 'webhooks',
            label: 'Webhooks',
            icon: <IconWebhooks />,
            key: 'h',
            docs: 'webhooks#getting-started',
            changes: true,
          },
        ],
      },
      alone({
        name: 'webmcp',
        label: 'WebMCP',
        icon: <IconTools />,
        key: 'w',
        docs: 'agents',
        changes: true,
      }),
      alone({
        name: 'alerts',
        label: 'Alerts',
        icon: <IconAlerts />,
        key: 'n',
        docs: 'alerts#rules',
        changes: true,
        Badge: OpenAlerts,
      }),
      {
        label: 'Settings',
        icon: <IconSettings />,
        isListed: true,
        pages: [
          {
            name: 'settings',
            label: 'Settings',
            icon: <IconSettings />,
            key: ',',
            docs: 'settings',
            changes: true,
          },
          { name: 'sharing', label: 'Sharing', icon: <IconSend />, key: 'u', docs: 'sharing' },
        ],
      },
    ],
  },
] as const satisfies readonly {
  title: string;
  sections: readonly (Omit<Section, 'pages'> & { pages: readonly Draft[] })[];
}[];

/** A page before all names are known. */
type Draft = Omit<PageEntry, 'name'> & { name: string };

/** A page that is a section by itself. */
function alone<const Page extends Draft>(page: Page) {
  return { label: page.label, icon: page.icon, pages: [page] as const };
}

export type PageName = (typeof GROUPS)[number]['sections'][number]['pages'][number]['name'];

export const PAGE_GROUPS: readonly { readonly title: string; readonly sections: readonly Section[] }[] =
  GROUPS;

const SECTIONS: readonly Section[] = PAGE_GROUPS.flatMap(({ sections }) => sections);
export const PAGES: readonly PageEntry[] = SECTIONS.flatMap(({ pages }) => pages);

/** The section that a page belongs to. @param name the last part of the page's address, as it is */
export function sectionOf(name: string | undefined): Section | undefined {
  return SECTIONS.find(({ pages }) => pages.some((page) => page.name === name));
}

/** On a phone these are in the bar at the bottom; the others are in its menu. */
export const DAILY_PAGES: readonly PageName[] = ['overview', 'live', 'bots', 'conversions'];

/** Pages of the account and the organization, outside the properties. */
export interface PeoplePage {
  readonly to:
    | '/account'
    | '/organization'
    | '/organization/members'
    | '/organization/tokens'
    | '/organization/audit';
  readonly label: string;
  /** In the bar of a phone, where it is longer. */
  readonly short?: string;
  readonly icon: ReactNode;
  /** Without this permission the page is not listed. */
  readonly permission: Permission | null;
  /** As of a property's page. */
  readonly docs: string;
}

export const PEOPLE_PAGES: readonly PeoplePage[] = [
  {
    to: '/account',
    label: 'Your account',
    short: 'Account',
    icon: <IconPerson />,
    permission: 'account',
    docs: 'people#two-factor-authentication',
  },
  {
    to: '/organization',
    label: 'Organization',
    icon: <IconOrganization />,
    permission: null,
    docs: 'people#roles',
  },
  {
    to: '/organization/members',
    label: 'Members',
    icon: <IconPeople />,
    permission: null,
    docs: 'people#inviting',
  },
  {
    to: '/organization/tokens',
    label: 'API tokens',
    short: 'Tokens',
    icon: <IconToken />,
    permission: 'tokens',
    docs: 'people#api-tokens',
  },
  {
    to: '/organization/audit',
    label: 'Audit log',
    short: 'Audit',
    icon: <IconAudit />,
    permission: 'audit',
    docs: 'people#the-audit-log',
  },
];

/** The page of a property at an address, or the one that what is there is of. @param path `/p/<property>/<page>…` */
export function pageAt(path: string): PageEntry | undefined {
  const [, first, , name] = path.split('/');
  return first === 'p' ? PAGES.find((page) => page.name === name) : undefined;
}

/** The name of the page at an address; undefined for one that is in no list. */
export const titleAt = (path: string): string | undefined =>
  (pageAt(path) ?? PEOPLE_PAGES.find(({ to }) => to === path))?.label;

/** The documentation of the page at an address; undefined for one that is in no list. @param path `/p/<property>/<page>…`, or a page of the account */
export function docsAt(path: string): string | undefined {
  return (pageAt(path) ?? PEOPLE_PAGES.find(({ to }) => to === path))?.docs;
}
