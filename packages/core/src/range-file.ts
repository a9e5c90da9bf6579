/** Reads the range files that vendors publish. The same reader serves the service's daily refresh and our own list maintenance. */
import { cleanPrefix, parseCidr } from './ranges.ts';

/** Largest file that is read, in UTF-16 code units; the largest known is under 200 kB. */
export const MAX_RANGE_FILE_LENGTH = 4 * 1024 * 1024;
/** More prefixes than this are no published bot range: the largest known set has about 1,060. */
export const MAX_PREFIXES = 20_000;

export type RangeFile =
  | { readonly prefixes: string[] /** Entries that were no prefix. */; readonly skipped: number }
  | { readonly error: 'too_large' | 'unparsable' | 'no_prefixes' | 'too_wide' };

/**
 * Takes `{"prefixes": [{"ipv4Prefix": …} | {"ipv6Prefix": …}]}`, as nearly every vendor publishes it, or a page in which that
 * JSON is embedded (Amazon). A bad entry is skipped; a file without one good entry is an error, because an empty answer must
 * never replace an existing set. So is a prefix wider than /8 (IPv6: /16): it would verify every sender.
 */
export function parseRangeFile(text: string): RangeFile {
  if (text.length > MAX_RANGE_FILE_LENGTH) return { error: 'too_large' };
  const entries = prefixEntries(text);
  if (entries === null) return { error: 'unparsable' };
  if (entries.length > MAX_PREFIXES) return { error: 'too_large' };
  const prefixes = new Set<string>();
  let skipped = 0;
  for (const entry of entries) {
    const written = prefixText(entry);
    const cleaned = written === null ? null : cleanPrefix(written);
    const range = cleaned === null ? null : parseCidr(cleaned);
    if (cleaned === null || range === null) {
      skipped++;
      continue;
    }
    const size = range.version === 4 ? BigInt(range.last - range.first) : range.last - range.first;
    if (size >= (range.version === 4 ? 1n << 24n : 1n << 112n)) return { error: 'too_wide' };
    prefixes.add(cleaned);
  }
  return prefixes.size === 0 ? { error: 'no_prefixes' } : { prefixes: [...prefixes], skipped };
}

function prefixText(entry: unknown): string | null {
  if (typeof entry === 'string') return entry;
  if (typeof entry !== 'object' || entry === null) return null;
  const { ipv4Prefix, ipv6Prefix, ip_prefix } = entry as Record<string, unknown>;
  for (const value of [ipv4Prefix, ipv6Prefix, ip_prefix]) if (typeof value === 'string') return value;
  return null;
}

function prefixEntries(text: string): unknown[] | null {
  const whole = parseJson(text.replace(/^\ufeff/, ''));
  if (whole !== undefined) return entriesOf(whole);
  return embeddedEntries(text);
}

function entriesOf(value: unknown): unknown[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const { prefixes } = value as Record<string, unknown>;
  return Array.isArray(prefixes) ? prefixes : null;
}

/** In a page: the array after the first `"prefixes"`, also where the page writes its quotes as entities. */
function embeddedEntries(page: string): unknown[] | null {
  const text = page
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&#x22;', '"')
    .replaceAll('\\"', '"');
  const start = /"prefixes"\s*:\s*\[/.exec(text);
  if (start === null) return null;
  const open = start.index + start[0].length - 1;
  const close = text.indexOf(']', open);
  if (close === -1) return null;
  const array = parseJson(text.slice(open, close + 1).replaceAll('\\n', ' '));
  return Array.isArray(array) ? array : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
