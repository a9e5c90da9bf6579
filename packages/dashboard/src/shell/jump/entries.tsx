/** What the command palette offers without asking the service: pages, properties, settings and actions, as far as the caller may. */
import { useQuery } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queries } from '../../api/queries.ts';
import { PAGES, PEOPLE_PAGES, sectionOf } from '../../features/page/pages.tsx';
import { useProperties, useProperty } from '../../features/property/useProperty.ts';
import { reportQuery, reportUrl } from '../../features/reports/api.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import { FILTERED_PAGES, filterQuery } from '../../features/reports/search.ts';
import { may } from '../../features/session/may.ts';
import { useSession } from '../../features/session/useSession.ts';
import { searchOf, TOPICS } from '../../features/settings/topics.ts';
import { named, PRESETS, periodOf } from '../../format/period.ts';
import { compact } from '../../format/search.ts';
import { applyTheme, otherTheme, THEME_NAMES, THEMES } from '../../format/theme.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import {
  IconAlerts,
  IconCopy,
  IconDownload,
  IconKey,
  IconPeople,
  IconPlus,
  IconSettings,
  IconSetup,
  IconTrust,
  IconVisits,
} from '../../parts/icons.tsx';
import type { Kind } from './kinds.tsx';
import type { Rankable } from './rank.ts';

export interface Entry extends Rankable {
  /** Unique among all entries. */
  readonly value: string;
  readonly kind: Kind;
  /** Where it leads; null: it runs. */
  readonly href: string | null;
  /** Of an action: what it does. */
  readonly icon?: ReactNode;
  /** Listed only when it is searched. */
  readonly isRare?: true;
  /** Opens beside the dashboard. */
  readonly beside?: true;
  run?(): void;
}

/** Reports whose list can be downloaded. */
const EXPORTED: readonly string[] = ['bots', 'pages', 'failures', 'trust', 'referrals', 'visits'];

/** Pages with a period besides the reports. */
const WITH_PERIOD: readonly string[] = [...FILTERED_PAGES, 'conversions', 'deliveries', 'visits'];

/** The beginning of an address: a page opens what the palette asks for when it reads `#ask`. */
type Where = { to: string; params?: Record<string, string>; search?: object; hash?: string };

export function useEntries(): readonly Entry[] {
  const router = useRouter();
  const session = useSession();
  const property = useProperty();
  const properties = useProperties();
  const carriedOver = useCarriedOver();
  const announce = useAnnounce();
  const { data: sources = [] } = useQuery({ ...queries.sources(), enabled: property !== null });
  const here = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] });
  const mayChange = may(session, 'organization');
  const { from, to } = periodOf({}, Date.now(), property?.time_zone);
  const filters = useQuery({
    ...reportQuery(property?.id ?? '', 'filters', { from, to }),
    enabled: property !== null,
  });
  const keys = useQuery({ ...queries.keys(), enabled: property !== null && mayChange });

  const hrefOf = (where: Where) => router.buildLocation(where as never).href;
  const within = (id: string, page: string, more: Omit<Where, 'to' | 'params'> = {}) =>
    hrefOf({ to: `/p/$propertyId/${page}`, params: { propertyId: id }, ...more });
  const entry = (
    kind: Kind,
    value: string,
    text: string,
    href: string | null,
    more: Partial<Entry> = {},
  ): Entry => ({
    ...{ kind, value: `${kind} ${value}`, text, href },
    ...more,
  });

  const ofProperty = (id: string): Entry[] => [
    ...PAGES.flatMap(({ name, label }) => {
      const of = sectionOf(name);
      const section = of?.label ?? label;
      const href = within(id, name, { search: carriedOver(name) });
      // A section that none of its pages is called by opens its first.
      const opens = of?.pages[0]?.name === name && of.pages.every((page) => page.label !== section);
      return [
        ...(opens ? [entry('page', `section ${section}`, section, href, { weight: 5 })] : []),
        entry('page', name, label, href, {
          ...(section === label ? {} : { parent: section }),
          weight: 5,
        }),
      ];
    }),
    ...(filters.data?.bots ?? []).map(({ bot, vendor }) =>
      entry('bot', `${vendor} ${bot}`, bot, within(id, 'bots', { search: { ...carriedOver('bots'), bot } }), {
        detail: vendor,
      }),
    ),
    ...TOPICS.flatMap(({ view, label, settings }) =>
      settings.map(({ id: hash, label: name, words }) =>
        entry('setting', hash, name, within(id, 'settings', { search: searchOf(view), hash }), {
          ...(name === label ? {} : { parent: label }),
          ...{ words, weight: -2 },
        }),
      ),
    ),
  ];
  const exportsOf = (id: string): Entry[] => [
    ...PAGES.filter(({ name }) => EXPORTED.includes(name)).map(({ name, label }) =>
      entry('action', `export ${name}`, `Export ${label.toLowerCase()} as CSV`, null, {
        words: 'download file spreadsheet',
        icon: <IconDownload />,
        // That of the open page is what is meant.
        ...(name === here ? { weight: 5 } : { isRare: true }),
        run: () => {
          const query = { ...filterQuery(carriedOver(name), Date.now(), property?.time_zone), format: 'csv' };
          download(reportUrl(id, name, query), `${name}.csv`);
        },
      }),
    ),
  ];
  const actions = (id: string): Entry[] => [
    ...PRESETS.map(({ name, label }) => {
      const page = here !== undefined && WITH_PERIOD.includes(here) ? here : 'overview';
      const search = compact({ ...carriedOver(page), ...named(name) });
      return entry(
        'action',
        `period ${name}`,
        `Period: ${label.toLowerCase()}`,
        within(id, page, { search }),
        {
          words: 'days date range',
          icon: <IconVisits />,
          isRare: true,
        },
      );
    }),
    ...sources.map(({ title, setup: { slug } }) =>
      entry('action', `set up ${slug}`, `Set up ${title}`, within(id, 'setup', { search: { via: slug } }), {
        subject: title,
        words: 'connect install source log',
        icon: <IconSetup />,
        isRare: true,
      }),
    ),
    entry(
      'action',
      'block',
      'Block impersonators',
      within(id, 'trust', { search: carriedOver('trust'), hash: 'block' }),
      {
        words: 'firewall rule spoofed nginx cloudflare apache caddy robots.txt',
        icon: <IconTrust />,
        isRare: true,
      },
    ),
    ...(may(session, 'change', id)
      ? [
          entry(
            'action',
            'channel',
            'Add an alert channel',
            within(id, 'alerts', { search: { view: 'channels' }, hash: 'add' }),
            { words: 'new notification slack email e-mail webhook', icon: <IconAlerts /> },
          ),
        ]
      : []),
    ...(mayChange
      ? [
          entry('action', 'issue', 'Create an ingest key', within(id, 'keys', { hash: 'issue' }), {
            words: 'new create',
            icon: <IconKey />,
          }),
          ...(keys.data ?? [])
            // One that is replaced already ends by itself; one of another property is rotated there.
            .filter((key) => key.revoked_at === null && key.expires_at === null)
            .filter(({ attribution_id: of }) => of === null || of === id)
            .map(({ id: key, name, prefix }) =>
              entry(
                'action',
                `rotate ${key}`,
                `Rotate the key “${name}”`,
                within(id, 'keys', { hash: `rotate-${key}` }),
                { parent: `${prefix}…`, words: 'replace renew ingest key', icon: <IconKey />, isRare: true },
              ),
            ),
        ]
      : []),
  ];
  /** What is done daily, before what is set up once. */
  const daily: Entry[] = [
    entry('action', 'copy', 'Copy the link to this view', null, {
      words: 'share url address',
      icon: <IconCopy />,
      run: () =>
        void navigator.clipboard.writeText(window.location.href).then(
          () => announce('The link is copied.'),
          () => announce('The browser did not allow copying.'),
        ),
    }),
    ...THEMES.map((theme) =>
      entry(
        'action',
        `theme ${theme}`,
        theme === 'system'
          ? 'Use the system’s theme'
          : `Switch to the ${THEME_NAMES[theme].toLowerCase()} theme`,
        null,
        {
          words: 'dark light mode colours appearance',
          icon: <IconSettings />,
          // The other one is what is meant.
          ...(theme === otherTheme() ? {} : { isRare: true as const }),
          run: () => applyTheme(theme),
        },
      ),
    ),
  ];
  const everywhere: Entry[] = [
    ...(may(session, 'people')
      ? [
          entry(
            'action',
            'invite',
            'Invite a person',
            hrefOf({ to: '/organization/members', hash: 'invite' }),
            {
              words: 'add member user colleague team',
              icon: <IconPeople />,
            },
          ),
        ]
      : []),
    ...(mayChange
      ? [
          entry('action', 'new property', 'New property', hrefOf({ to: '/properties/new' }), {
            words: 'add site create',
            icon: <IconPlus />,
          }),
        ]
      : []),
    entry('docs', 'home', 'Documentation', '/docs', { beside: true, words: 'help manual guide' }),
  ];
  return [
    ...(property === null ? [] : ofProperty(property.id)),
    ...properties
      .filter(({ id }) => id !== property?.id)
      .map(({ id, name, domain }) => {
        // Switching keeps the page, so that properties can be compared.
        const page = PAGES.find((one) => one.name === here)?.name ?? 'overview';
        return entry('property', id, name, within(id, page, { search: carriedOver(page, id) }), {
          ...{ detail: domain, words: 'switch site' },
        });
      }),
    ...PEOPLE_PAGES.filter(({ permission }) => permission === null || may(session, permission)).map(
      ({ to: path, label }) => entry('page', path, label, hrefOf({ to: path })),
    ),
    ...(property === null ? [] : exportsOf(property.id)),
    ...daily,
    ...(property === null ? [] : actions(property.id)),
    ...everywhere,
  ];
}

function download(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
