/** What of a person's visit may be kept. Applied again at the service, whatever the edge already did. */
import { formatIp, parseIp } from './ip.ts';
import { parseBareHost, parseReferrer } from './referrer.ts';

/**
 * Query parameters by which ad platforms name a click (lower-case; parameter names are compared without case). Sources: the
 * platforms' own documentation of their click ids; `igshid`…`_kx` are stored unused.
 */
export const CLICK_ID_PARAMETERS: ReadonlySet<string> = new Set([
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'gad_source',
  'gad_campaignid',
  'fbclid',
  'msclkid',
  'ttclid',
  'li_fat_id',
  'epik',
  'sccid',
  'rdt_cid',
  'twclid',
  'oppref',
  'igshid',
  'irclid',
  'qclid',
  'bfcid',
  'mc_cid',
  '_kx',
]);

/**
 * IPv4 to its /24 (`203.0.113.0`), IPv6 to its /48 (`2001:db8:85a3::`, RFC 5952 text); an IPv4-mapped address is truncated as
 * IPv4, since its /48 would be the same for all of them.
 * @returns null for what is no address
 */
export function truncateIp(text: string): string | null {
  const ip = parseIp(text.trim());
  if (ip === null) return null;
  if (ip.version === 4) return formatIp({ version: 4, value: (ip.value & 0xffffff00) >>> 0 });
  return formatIp({ version: 6, value: (ip.value >> 80n) << 80n });
}

/** Of an AI referral's query only campaign tags (`utm_*`) and click ids are kept: anything else may be personal. */
export function referralQuery(query: ReadonlyMap<string, string>): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [name, value] of query) {
    const lower = name.toLowerCase();
    if (lower.startsWith('utm_') || CLICK_ID_PARAMETERS.has(lower)) kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}

/**
 * The referrer's host (or app package) alone, lower-case; empty when there is none. Paths and queries may name a person. What the
 * edge has already cut to its host stays as it is, unless it has no dot: any word could be one.
 */
export function bareHost(referrer: string): string {
  return parseReferrer(referrer)?.host ?? parseBareHost(referrer) ?? '';
}
