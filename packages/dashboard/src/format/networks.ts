/** Names of networks, as the service knows them. Pages that name networks load them first (shell/router.tsx). */
import type { Networks } from '../api/schema.gen.ts';

const names = new Map<number, string>();

/** Keeps the names for every part of the page; they don't change while a service runs. */
export function learnNetworks(items: Networks['items']): void {
  for (const { asn, name } of items) names.set(asn, name);
}

/** `AS8075 Microsoft`, `AS64500`; empty for 0, which is unknown. @param name where an answer says it */
export function networkName(asn: number, name = names.get(asn) ?? ''): string {
  if (asn === 0) return '';
  return name === '' ? `AS${asn}` : `AS${asn} ${name}`;
}
