/** First-party cookies on the widest domain that the browser grants this page, so that all hosts of a site know the same visitor. */
import { attempt } from './attempt.ts';

const YEAR_S = 31_536_000;
const PROBE = '_ghl_try';

/** `''` where there is none. */
export function readCookie(name: string): string {
  const found = attempt(() => `; ${document.cookie}`.match(`; ${name}=([^;]*)`));
  return found ? (found[1] as string) : '';
}

/** @param domain `''`: for this host alone; undefined: not at all, as the browser takes none */
export function writeCookie(name: string, value: string, domain: string | undefined, maxAge = YEAR_S): void {
  attempt(() => {
    if (domain === undefined) return;
    const attributes = `path=/;max-age=${maxAge};samesite=lax${domain && `;domain=${domain}`}`;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on https pages of some browsers alone, and can't answer at once
    document.cookie = `${name}=${value};${attributes}${location.protocol === 'https:' ? ';secure' : ''}`;
  });
}

/** Every domain that a cookie of this page may have, the shortest first; `''`: this host alone. */
function domains(): string[] {
  const labels = location.hostname.split('.');
  return labels.map((_, index) => labels.slice(-1 - index).join('.')).concat('');
}

/**
 * Stores and deletes a cookie to find out, as no interface of the browser tells which suffixes are public (`co.uk`).
 * @param wanted the page's own choice, tried first
 * @returns undefined where the browser takes no cookie at all
 */
export function widestDomain(wanted?: string): string | undefined {
  return [wanted || '.'].concat(domains()).find((domain) => {
    writeCookie(PROBE, '1', domain, 60);
    const taken = readCookie(PROBE);
    writeCookie(PROBE, '', domain, 0);
    return taken;
  });
}

/** On every domain, since it may have been written by a page that knew a wider or a narrower one. */
export function eraseCookie(name: string): void {
  for (const domain of domains()) writeCookie(name, '', domain, 0);
}
