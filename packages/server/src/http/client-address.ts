/** Who is at the other end, when proxies stand between: `X-Forwarded-*` counts only as far as TRUST_PROXY says. */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';

export type TrustedProxies =
  | { readonly kind: 'none' }
  | { readonly kind: 'hops'; readonly count: number }
  | { readonly kind: 'networks'; readonly networks: BlockList };

export interface ClientAddress {
  /** Textual IP; empty when the socket is already gone. */
  readonly ip: string;
  readonly protocol: 'http' | 'https';
}

/** Longest chain that is looked at; a longer one is abuse. */
const MAX_HOPS = 32;

/**
 * Walks `X-Forwarded-For` from the right, the end that our own proxies wrote, and stops at the first address that no trusted hop
 * vouches for. The protocol is trusted only together with at least one trusted hop.
 */
export function clientAddress(request: IncomingMessage, trust: TrustedProxies): ClientAddress {
  const peer = plain(request.socket.remoteAddress ?? '');
  if (trust.kind === 'none' || !trusts(trust, peer, 0)) return { ip: peer, protocol: 'http' };
  const chain = header(request, 'x-forwarded-for')
    .split(',')
    .slice(-MAX_HOPS)
    .map((part) => plain(part.trim()));
  let ip = peer;
  for (let hop = 0; chain.length > 0 && trusts(trust, ip, hop); hop += 1) {
    const next = chain.pop() ?? '';
    if (isIP(next) === 0) break;
    ip = next;
  }
  const protocol = header(request, 'x-forwarded-proto').split(',').at(-1)?.trim().toLowerCase();
  return { ip, protocol: protocol === 'https' ? 'https' : 'http' };
}

/** The address at the other end of a connection; empty when it is already gone. */
export function peerAddress(socket: Socket): string {
  return plain(socket.remoteAddress ?? '');
}

/** Whether the nearest hop is a proxy whose word counts. */
export function trustsPeer(trust: TrustedProxies, peer: string): boolean {
  return trusts(trust, peer, 0);
}

/**
 * Whether a request names one host: two Host headers, an address in the request line that differs from the header, or a name with an empty label
 * are read differently by proxies before us, so they could pass a check there and mean something else here.
 */
export function namesOneHost(request: IncomingMessage): boolean {
  const { host = '' } = request.headers;
  let hosts = 0;
  for (let at = 0; at < request.rawHeaders.length; at += 2)
    if (request.rawHeaders[at]?.length === 4 && request.rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1 || host.includes('..')) return false;
  const named = /^https?:\/\/([^/?#]*)/i.exec(request.url ?? '')?.[1];
  return named === undefined || named.toLowerCase() === host.toLowerCase();
}

/**
 * Whether a request comes from this machine and was not forwarded by a proxy on it. A proxy that says nothing of itself still asks for the
 * host that its client asked for, and so does a page that has had its own name resolved to this machine.
 */
export function isOnThisMachine({ socket, headers }: IncomingMessage): boolean {
  const peer = plain(socket.remoteAddress ?? '');
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  return (
    !isForwarded && (peer === '::1' || /^127\./.test(peer)) && LOOPBACK_HOST.test(headers.host ?? 'localhost')
  );
}

const LOOPBACK_HOST = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

function trusts(trust: TrustedProxies, address: string, hop: number): boolean {
  if (trust.kind === 'hops') return hop < trust.count;
  if (trust.kind === 'networks') {
    const family = isIP(address);
    return family !== 0 && trust.networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
  return false;
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

/** An IPv4 peer of a dual-stack socket arrives as `::ffff:a.b.c.d`. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/**
 * The host that the client asked for: lower case, without port. A forwarded one counts only from a trusted hop, and of several the last,
 * which the nearest proxy wrote; empty when there is none.
 */
export function requestHost(request: IncomingMessage, trust: TrustedProxies): string {
  const trusted = trust.kind !== 'none' && trusts(trust, plain(request.socket.remoteAddress ?? ''), 0);
  const forwarded = trusted ? (header(request, 'x-forwarded-host').split(',').at(-1)?.trim() ?? '') : '';
  const host = forwarded === '' ? (request.headers.host ?? '') : forwarded;
  return host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.+$/, '');
}
