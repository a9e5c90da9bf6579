/** Addresses of pages, without what they tell about a person. */
import { maskFound } from './mask.ts';
import { tagsOf } from './tags.ts';

/** Of a longer one the query is dropped, before a click id is cut in two. */
const MAX_ADDRESS = 8192;
const MAX_PATH = 1024;

/** @returns an http(s) address, or null */
export function parseAddress(address: string): URL | null {
  const whole = address.length <= MAX_ADDRESS;
  const url = URL.parse(whole ? address : (address.slice(0, MAX_ADDRESS).split('?')[0] ?? ''));
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== ''
    ? url
    : null;
}

/**
 * The address with only UTM tags and click ids in its query, without user, password and fragment, and with masked email addresses in
 * its path (password resets and unsubscribe links carry them).
 *
 * @returns null for what is no http(s) address
 */
export function cleanAddress(address: string): string | null {
  const url = parseAddress(address);
  if (url === null) return null;
  const { utm, clickIds } = tagsOf(url.searchParams);
  const tags = Object.entries(utm).map(([field, value]) => [`utm_${field}`, value]);
  const query = new URLSearchParams([...tags, ...Object.entries(clickIds)]).toString();
  return `${url.origin}${cleanPath(url.pathname)}${query === '' ? '' : `?${query}`}`;
}

/** @param path as `URL.pathname` writes it, percent-encoded; unchanged, except for what is masked */
export function cleanPath(path: string): string {
  const segments = path.slice(0, MAX_PATH).split('/');
  return segments.map((segment) => (isPersonal(segment) ? '***' : segment)).join('/');
}

function isPersonal(segment: string): boolean {
  // Twice: a link that was wrapped into another is encoded again.
  const text = decoded(decoded(segment));
  return maskFound(text) !== text;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Half an escape; what is whole is still looked at.
    return segment.replace(/%40/gi, '@').replace(/%2b/gi, '+');
  }
}
