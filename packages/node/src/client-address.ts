/** Who the client is. An address that could be another's is none: a bot without one is unknown, one with a wrong one would be accused. */
import { clientAddress, isProxy, parseIp, parseTrustedProxies, type TrustedProxies } from '@ghostlight/core';
import type { Incoming } from './incoming.ts';

/** `unsaid`: nothing was configured; `unknown`: nothing that could be read. */
export type Trust =
  | { readonly kind: 'unsaid' | 'unknown' }
  | { readonly kind: 'proxies'; readonly proxies: TrustedProxies }
  | { readonly kind: 'header'; readonly name: string };

/** By these a request shows that it came through a proxy. */
const PROXIED = [
  ...['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'],
  ...['fastly-client-ip', 'fly-client-ip', 'x-vercel-forwarded-for', 'x-client-ip'],
] as const;
const HEADER_NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** @returns null for what is none of the forms that `trustProxy` has */
export function trustOf(value: unknown): Trust | null {
  if (value === undefined) return { kind: 'unsaid' };
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const text = String(value).trim().toLowerCase();
  const proxies = parseTrustedProxies(text);
  if (proxies !== null) return { kind: 'proxies', proxies };
  return HEADER_NAME.test(text) && text !== 'x-forwarded-for' && text !== 'forwarded'
    ? { kind: 'header', name: text }
    : null;
}

/** @returns null where it is not known */
export function addressOf(incoming: Incoming, trust: Trust): string | null {
  const address = candidate(incoming, trust);
  return parseIp(address) === null ? null : address;
}

function candidate(incoming: Incoming, trust: Trust): string {
  const { peer } = incoming;
  switch (trust.kind) {
    case 'unsaid':
      return isProxy(peer) || PROXIED.some((name) => incoming.header(name) !== '') ? '' : peer;
    case 'unknown':
      return '';
    case 'header':
      // Where a request brought the header along, the proxy's own value is the last.
      return incoming.header(trust.name).split(',').at(-1)?.trim() ?? '';
    case 'proxies':
      return clientAddress({ ip: peer, forwarded_for: incoming.header('x-forwarded-for') }, trust.proxies);
  }
}

/** Whether what proxies say about a request, beside the address, counts: its scheme. */
export const trustsProxies = (trust: Trust): boolean =>
  trust.kind === 'header' ||
  (trust.kind === 'proxies' && !('hops' in trust.proxies && trust.proxies.hops === 0));
