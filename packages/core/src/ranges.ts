/** Sets of CIDR prefixes: compiled once per list version, asked once per bot hit by binary search. */
import { type IpAddress, parseIp } from './ip.ts';

export interface AddressRange<N extends number | bigint> {
  readonly first: N;
  readonly last: N;
}

export interface RangeSet {
  /** Start and end (inclusive) of disjoint ranges, alternating, ascending. */
  readonly v4: Uint32Array;
  readonly v6: readonly bigint[];
  /** Entries that were no prefix; the others still count. */
  readonly skipped: number;
}

/** Invisible characters that real vendor files carried inside prefixes (bingbot.json, November 2022: U+200B). */
const INVISIBLE = /[\s\u200b-\u200d\u2060\ufeff]/g;

/** Drops blanks and zero-width characters around and inside a prefix. */
export const cleanPrefix = (text: string): string => text.replace(INVISIBLE, '');

/**
 * Reads `address/length`; a bare address is a prefix of its own. Host bits are allowed and ignored. An IPv4-mapped IPv6 prefix
 * becomes the IPv4 one.
 * @returns null when it is no prefix
 */
export function parseCidr(
  text: string,
): ({ version: 4 } & AddressRange<number>) | ({ version: 6 } & AddressRange<bigint>) | null {
  const cleaned = cleanPrefix(text);
  const slash = cleaned.indexOf('/');
  const addressText = slash === -1 ? cleaned : cleaned.slice(0, slash);
  const ip = parseIp(addressText);
  if (ip === null) return null;
  const written = addressText.includes(':') ? 128 : 32;
  let bits = written;
  if (slash !== -1) {
    const lengthText = cleaned.slice(slash + 1);
    if (!/^(0|[1-9][0-9]{0,2})$/.test(lengthText)) return null;
    bits = Number(lengthText);
    if (bits > written) return null;
  }
  if (ip.version === 4) {
    if (written === 128) bits -= 96;
    if (bits < 0) return null;
    const size = 2 ** (32 - bits);
    const first = Math.floor(ip.value / size) * size;
    return { version: 4, first, last: first + size - 1 };
  }
  const hostBits = BigInt(128 - bits);
  const first = (ip.value >> hostBits) << hostBits;
  return { version: 6, first, last: first + (1n << hostBits) - 1n };
}

/** Overlapping and adjacent prefixes are joined. A bad entry is counted and skipped: one must not lose a whole file. */
export function compileRanges(prefixes: readonly string[]): RangeSet {
  const v4: AddressRange<number>[] = [];
  const v6: AddressRange<bigint>[] = [];
  let skipped = 0;
  for (const prefix of prefixes) {
    const range = parseCidr(prefix);
    if (range === null) skipped++;
    else if (range.version === 4) v4.push(range);
    else v6.push(range);
  }
  v4.sort((a, b) => a.first - b.first);
  v6.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  return { v4: Uint32Array.from(joinV4(v4)), v6: joinV6(v6), skipped };
}

function joinV4(sorted: readonly AddressRange<number>[]): number[] {
  const bounds: number[] = [];
  for (const { first, last } of sorted) {
    const end = bounds[bounds.length - 1];
    if (end === undefined || first > end + 1) bounds.push(first, last);
    else if (last > end) bounds[bounds.length - 1] = last;
  }
  return bounds;
}

function joinV6(sorted: readonly AddressRange<bigint>[]): bigint[] {
  const bounds: bigint[] = [];
  for (const { first, last } of sorted) {
    const end = bounds[bounds.length - 1];
    if (end === undefined || first > end + 1n) bounds.push(first, last);
    else if (last > end) bounds[bounds.length - 1] = last;
  }
  return bounds;
}

export const isEmptyRangeSet = (set: RangeSet): boolean => set.v4.length === 0 && set.v6.length === 0;

export function rangesContain(set: RangeSet, ip: IpAddress): boolean {
  return ip.version === 4 ? within(set.v4, ip.value) : within(set.v6, ip.value);
}

/** Finds the last range that starts at or before `value`. */
function within<N extends number | bigint>(bounds: ArrayLike<N>, value: N): boolean {
  let low = 0;
  let high = bounds.length >>> 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const first = bounds[middle * 2];
    if (first !== undefined && first <= value) low = middle + 1;
    else high = middle;
  }
  const last = low === 0 ? undefined : bounds[low * 2 - 1];
  return last !== undefined && value <= last;
}
