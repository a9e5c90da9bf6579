/** Kinds of entries of the command palette: what each is called, alone and as a group, and its icon. */
import type { ReactNode } from 'react';
import { PAGES, PEOPLE_PAGES } from '../../features/page/pages.tsx';
import {
  IconBook,
  IconBots,
  IconConversions,
  IconDeliveries,
  IconDestinations,
  IconOverview,
  IconPages,
  IconPlay,
  IconSettings,
} from '../../parts/icons.tsx';

const PAGE = { name: 'Page', title: 'Go to', icon: <IconPages /> };
export const KINDS = {
  page: PAGE,
  property: { name: 'Property', title: 'Properties', icon: <IconOverview /> },
  bot: { name: 'Bot', title: 'Bots', icon: <IconBots /> },
  path: { name: 'Site page', title: 'Site pages', icon: <IconPages /> },
  conversion: { name: 'Order', title: 'Orders', icon: <IconConversions /> },
  delivery: { name: 'Delivery', title: 'Deliveries', icon: <IconDeliveries /> },
  destination: { name: 'Destination', title: 'Destinations', icon: <IconDestinations /> },
  setting: { name: 'Setting', title: 'Settings', icon: <IconSettings /> },
  docs: { name: 'Docs', title: 'Docs', icon: <IconBook /> },
  action: { name: 'Command', title: 'Commands', icon: <IconPlay /> },
} as const satisfies Record<string, { name: string; title: string; icon: ReactNode }>;
export type Kind = keyof typeof KINDS;

/** @param kind of the storage, so it may be any text */
export function kindOf(kind: string): (typeof KINDS)[Kind] {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind as Kind] : PAGE;
}

interface Pictured {
  readonly kind: string;
  readonly href: string | null;
  readonly icon?: ReactNode;
}

/** An action may have an icon of its own; a page has that of the rail, anything else that of its kind. */
export function iconOf({ kind, href, icon }: Pictured): ReactNode {
  return icon ?? (kind === 'page' ? pageAt(href)?.icon : undefined) ?? kindOf(kind).icon;
}

/** The keys that open it, one after the other: `G`, `O`. */
export function keysOf({ kind, href }: { readonly kind: string; readonly href: string | null }): string[] {
  const page = kind === 'page' ? pageAt(href) : undefined;
  return page !== undefined && 'key' in page ? ['G', page.key.toUpperCase()] : [];
}

function pageAt(href: string | null) {
  const path = href?.split(/[?#]/)[0] ?? '';
  const [, first, , name] = path.split('/');
  return first === 'p'
    ? PAGES.find((page) => page.name === name)
    : PEOPLE_PAGES.find(({ to }) => to === path);
}
