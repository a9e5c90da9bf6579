/** Who the client is where proxies stand before the server: of `X-Forwarded-For` only what trusted proxies have written counts. */
import { parseIp } from '../ip.ts';
import { compileRanges, parseCidr, type RangeSet, rangesContain } from '../ranges.ts';
import type { LogRecord } from './record.ts';
import { withoutPort } from './texts.ts';

/** Addresses of one's own proxies (`10.0.0.0/8`), or how many of them a request passes. */
export type TrustedProxies = { readonly hops: number } | { readonly ranges: RangeSet };

/** Prefixes for those who write `private` or `loopback`. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: [
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    'fc00::/7',
    'fe80::/10',
    '127.0.0.0/8',
    '::1/128',
  ],
};

/**
 * @param text `1`, or prefixes, addresses and names (`private`, `loopback`) with commas between
 * @returns null for what is none of them
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (/^\d{1,2}$/.test(text)) return { hops: Number(text) };
  const prefixes = text.split(',').flatMap((part) => NAMED[part.trim()] ?? [part]);
  return prefixes.every((prefix) => parseCidr(prefix) !== null) ? { ranges: compileRanges(prefixes) } : null;
}

/**
 * The client's address: the one before the last trusted proxy.
 * @returns empty where only proxies are named, or what a trusted one wrote is no address: then it is unknown
 */
export function clientAddress(
  { ip, forwarded_for: forwarded }: Pick<LogRecord, 'ip' | 'forwarded_for'>,
  trusted: TrustedProxies | null,
): string {
  if (trusted === null) return ip;
  const before = forwarded === '' ? [] : forwarded.split(',').map(withoutPort);
  if ('hops' in trusted) return trusted.hops === 0 ? ip : (before.at(-trusted.hops) ?? '');
  const isProxy = (address: string): boolean => {
    const parsed = parseIp(address);
    return parsed !== null && rangesContain(trusted.ranges, parsed);
  };
  if (ip !== '' && !isProxy(ip)) return ip;
  for (const address of before.reverse()) {
    if (!isProxy(address)) return parseIp(address) === null ? '' : address;
  }
  return '';
}
