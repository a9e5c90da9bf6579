/** Addresses as numbers. Strict: what two programs could read differently (octal, zone ids, blanks) is no address here. */

export type IpAddress =
  | { readonly version: 4; readonly value: number }
  | { readonly version: 6; readonly value: bigint };

/** The longest text form of an address, `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. */
const MAX_IP_LENGTH = 45;
const V4_MAPPED_PREFIX = 0xffffn;

/**
 * Reads an IPv4 or IPv6 address; an IPv4-mapped one (`::ffff:203.0.113.9`) is read as the IPv4 address that it is.
 * @returns null for anything else: leading zeros, zone ids, blanks, brackets, ports
 */
export function parseIp(text: string): IpAddress | null {
  if (text.length > MAX_IP_LENGTH) return null;
  if (!text.includes(':')) {
    const value = parseIpv4(text);
    return value === null ? null : { version: 4, value };
  }
  const value = parseIpv6(text);
  if (value === null) return null;
  if (value >> 32n === V4_MAPPED_PREFIX) return { version: 4, value: Number(value & 0xffffffffn) };
  return { version: 6, value };
}

function parseIpv4(text: string): number | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  let value = 0;
  for (const part of parts) {
    // '010' is 8 to inet_aton and 10 to others: refused, so that no two readers can differ.
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part)) return null;
    const octet = Number(part);
    if (octet > 255) return null;
    value = value * 256 + octet;
  }
  return value;
}

function parseIpv6(text: string): bigint | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : [];
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  let value = 0n;
  for (const group of [...head, ...new Array<number>(missing).fill(0), ...tail]) {
    value = (value << 16n) | BigInt(group);
  }
  return value;
}

/** @param mayEndInIpv4 whether the last group is the address's end, where a dotted quad may stand */
function parseGroups(text: string, mayEndInIpv4: boolean): number[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (mayEndInIpv4 && index === parts.length - 1 && part.includes('.')) {
      const quad = parseIpv4(part);
      if (quad === null) return null;
      groups.push(quad >>> 16, quad & 0xffff);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return null;
      groups.push(Number.parseInt(part, 16));
    }
  }
  return groups;
}

/** Dotted quad, or the canonical IPv6 text of RFC 5952. */
export function formatIp(ip: IpAddress): string {
  if (ip.version === 4) {
    return [ip.value >>> 24, (ip.value >>> 16) & 255, (ip.value >>> 8) & 255, ip.value & 255].join('.');
  }
  const groups: number[] = [];
  for (let shift = 112n; shift >= 0n; shift -= 16n) groups.push(Number((ip.value >> shift) & 0xffffn));
  const { start, length } = longestZeroRun(groups);
  const hex = (part: number[]): string => part.map((group) => group.toString(16)).join(':');
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let i = 0; i <= groups.length; i++) {
    if (groups[i] === 0) continue;
    if (i - start > best.length) best = { start, length: i - start };
    start = i + 1;
  }
  return best;
}
