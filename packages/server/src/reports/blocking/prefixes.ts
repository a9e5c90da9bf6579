/** Ranges of addresses as the fewest CIDR prefixes. */
import { formatIp, parseIp, type RangeSet } from '@ghostlight/core';

/** @returns IPv4 first, each ascending, without overlaps */
export function prefixesOf({ v4, v6 }: Pick<RangeSet, 'v4' | 'v6'>): string[] {
  return [
    ...pairs([...v4].map(BigInt)).flatMap((range) => cover(range, 4)),
    ...pairs(v6).flatMap((range) => cover(range, 6)),
  ];
}

const pairs = (bounds: readonly bigint[]): [bigint, bigint][] =>
  Array.from({ length: bounds.length / 2 }, (_, index) => [
    bounds[index * 2] ?? 0n,
    bounds[index * 2 + 1] ?? 0n,
  ]);

function cover([from, last]: readonly [bigint, bigint], version: 4 | 6): string[] {
  const width = version === 4 ? 32 : 128;
  const found: string[] = [];
  for (let first = from; first <= last; ) {
    let bits = 0;
    // As large as its own start allows, and as the end does.
    while (bits < width && (first & ((1n << BigInt(bits + 1)) - 1n)) === 0n) {
      if (first + (1n << BigInt(bits + 1)) - 1n > last) break;
      bits += 1;
    }
    const ip = version === 4 ? { version, value: Number(first) } : { version, value: first };
    found.push(`${formatIp(ip)}/${width - bits}`);
    first += 1n << BigInt(bits);
  }
  return found;
}

const MOST_V6_BITS = 64;
const FEWEST_V6_BITS = 12;
const FEWEST_V4_BITS = 8;

/**
 * As Cloudflare's lists take them: IPv4 from /8, IPv6 from /12 to /64. A longer prefix is widened, which can only let more through; one
 * that is too short is split.
 */
export function forCloudflare(prefixes: readonly string[]): string[] {
  const widened = prefixes.flatMap((prefix) => {
    const [address = '', length = ''] = prefix.split('/');
    const bits = Number(length);
    if (!address.includes(':')) return bits >= FEWEST_V4_BITS ? [prefix] : split(address, bits);
    if (bits < FEWEST_V6_BITS) return [];
    return [bits <= MOST_V6_BITS ? prefix : `${network64(address)}/${MOST_V6_BITS}`];
  });
  return [...new Set(widened)];
}

function split(address: string, bits: number): string[] {
  const first = Number(address.split('.')[0]);
  return Array.from({ length: 2 ** (FEWEST_V4_BITS - bits) }, (_, index) => `${first + index}.0.0.0/8`);
}

function network64(address: string): string {
  const ip = parseIp(address);
  if (ip === null || ip.version === 4) return address;
  return formatIp({ version: 6, value: (ip.value >> 64n) << 64n });
}
