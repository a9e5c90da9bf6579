/**
 * Addresses that no visitor has: of networks without a way out, and of the proxies that a site may be behind. Where a log has one of
 * these, its server sees its proxy and not the visitor. They excuse, and never accuse: an address that a vendor publishes proves its bot wherever it lies.
 */
import type { AddressFlaw } from './hit.ts';
import { parseIp } from './ip.ts';
import { compileRanges, type RangeSet, rangesContain } from './ranges.ts';

const PRIVATE = [
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
];
/** As published by the vendors: cloudflare.com/ips, api.fastly.com/public-ip-list. They have not changed for years. */
const CLOUDFLARE = [
  ...['103.21.244.0/22', '103.22.200.0/22', '103.31.4.0/22', '104.16.0.0/13', '104.24.0.0/14'],
  ...['108.162.192.0/18', '131.0.72.0/22', '141.101.64.0/18', '162.158.0.0/15', '172.64.0.0/13'],
  ...['173.245.48.0/20', '188.114.96.0/20', '190.93.240.0/20', '197.234.240.0/22', '198.41.128.0/17'],
  ...['2400:cb00::/32', '2405:8100::/32', '2405:b500::/32', '2606:4700::/32', '2803:f800::/32'],
  ...['2a06:98c0::/29', '2c0f:f248::/32'],
];
const FASTLY = [
  ...['23.235.32.0/20', '43.249.72.0/22', '103.244.50.0/24', '103.245.222.0/23', '103.245.224.0/24'],
  ...['104.156.80.0/20', '140.248.64.0/18', '140.248.128.0/17', '146.75.0.0/17', '151.101.0.0/16'],
  ...['157.52.64.0/18', '167.82.0.0/17', '167.82.128.0/20', '167.82.160.0/20', '167.82.224.0/20'],
  ...['172.111.64.0/18', '185.31.16.0/22', '199.27.72.0/21', '199.232.0.0/16'],
  ...['2a04:4e40::/32', '2a04:4e42::/32'],
];
/** The prefixes that CloudFront alone uses; it has others. */
const CLOUDFRONT = [
  ...['13.32.0.0/15', '13.35.0.0/16', '18.64.0.0/14', '18.154.0.0/15', '18.160.0.0/15', '18.164.0.0/15'],
  ...['52.84.0.0/15', '54.182.0.0/16', '54.192.0.0/16', '54.230.0.0/17', '54.239.128.0/18'],
  ...['64.252.64.0/18', '65.8.0.0/16', '65.9.0.0/17', '70.132.0.0/18', '99.84.0.0/16', '99.86.0.0/16'],
  ...['108.138.0.0/15', '108.156.0.0/14', '130.176.0.0/17', '143.204.0.0/16', '204.246.164.0/22'],
  ...['205.251.249.0/24', '216.137.32.0/19', '2600:9000::/28'],
];

let proxies: RangeSet | null = null;

/** @param anonymizes whether the log is known to cut off the ends of its addresses */
export function addressFlaw(ip: string | null, anonymizes: boolean): AddressFlaw | null {
  if (ip === null) return null;
  if (isProxy(ip)) return 'proxy';
  return isCutShort(ip) ? (anonymizes ? 'anonymized' : 'round') : null;
}

export function isProxy(ip: string): boolean {
  const address = parseIp(ip);
  if (address === null) return false;
  proxies ??= compileRanges([...PRIVATE, ...CLOUDFLARE, ...FASTLY, ...CLOUDFRONT]);
  return rangesContain(proxies, address);
}

/** Whether the end of an address was cut off: a /24 or /48 as its first address, or as its sender writes what is missing. */
export function isCutShort(ip: string): boolean {
  const address = parseIp(ip);
  if (address === null) return false;
  return address.version === 4 ? (address.value & 0xff) === 0 : (address.value & ((1n << 64n) - 1n)) === 0n;
}
