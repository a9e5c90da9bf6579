/** Kinds of entries of the command palette: what each is called beside its entries, and its icon. */
import type { ReactNode } from 'react';
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

const PAGE = { name: 'Page', icon: <IconPages /> };
export const KINDS = {
  page: PAGE,
  property: { name: 'Property', icon: <IconOverview /> },
  bot: { name: 'Bot', icon: <IconBots /> },
  path: { name: 'Path', icon: <IconPages /> },
  conversion: { name: 'Order', icon: <IconConversions /> },
  delivery: { name: 'Delivery', icon: <IconDeliveries /> },
  destination: { name: 'Destination', icon: <IconDestinations /> },
  setting: { name: 'Setting', icon: <IconSettings /> },
  docs: { name: 'Docs', icon: <IconBook /> },
  action: { name: 'Action', icon: <IconPlay /> },
} as const satisfies Record<string, { name: string; icon: ReactNode }>;
export type Kind = keyof typeof KINDS;

/** @param kind of the storage, so it may be any text */
export function kindOf(kind: string): (typeof KINDS)[Kind] {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind as Kind] : PAGE;
}
