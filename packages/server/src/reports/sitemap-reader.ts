/** Reads a site's sitemap over the network, with all that it refers to, bounded in every direction. */
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Download, DownloadError } from '../outbound/index.ts';
import type { SitemapPage } from '../warehouse/index.ts';
import { readSitemapText, sitemapsOfRobots } from './sitemap-text.ts';

export interface SitemapReading {
  /** Where it was found. */
  readonly url: string;
  /** Each once, by path; never none. */
  readonly pages: readonly SitemapPage[];
  readonly truncated: boolean;
  /** Addresses of other sites, or that are none. */
  readonly skipped: number;
}

/** Why there is no reading: a word of `DownloadError`, or `not_a_sitemap`, `empty`, `no_sitemap`. */
export class SitemapError extends Error {
  readonly word: string;
  constructor(word: string, options: { cause?: unknown } = {}) {
    super(`The sitemap could not be read: ${word}`, options);
    this.name = 'SitemapError';
    this.word = word;
  }
}

const MAX_PAGES = 50_000;
/** Files that one reading asks for; an index of a large shop names hundreds, and 50,000 pages are full before. */
const MAX_FILES = 100;
/** The format allows 50 MB; with images and languages it is reached by few, and the text is held in memory. */
const FILE_BYTES = 24 * 1024 * 1024;
const ROBOTS_BYTES = 512 * 1024;
const FILE_TIMEOUT_MS = 30_000;
const WHOLE_TIMEOUT_MS = 5 * MINUTE_MS;
/** A longer path is no real page, and a page of the list has to fit in one request. */
const MAX_PATH = 1_024;
const MAX_DEPTH = 2;

/**
 * @param site the property's domain; pages and sitemaps at and below it count (`www.` aside)
 * @param configured where a person says that it is; null: robots.txt says, else `/sitemap.xml`
 * @throws SitemapError
 */
export async function readSitemap(
  download: Download,
  site: string,
  configured: string | null,
  stop: AbortSignal,
): Promise<SitemapReading> {
  const domain = site.replace(/^www\./, '');
  const isOwn = (host: string) => host === domain || host.endsWith(`.${domain}`);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(WHOLE_TIMEOUT_MS)]);
  const fetchText = async (url: string, maxBytes: number, gzipFile: boolean): Promise<string> => {
    const accept = gzipFile ? 'application/xml, text/xml, text/plain, application/gzip' : 'text/plain';
    const request = { url, maxBytes, redirects: 3, accept, purpose: 'sitemap', timeoutMs: FILE_TIMEOUT_MS };
    return (await download({ ...request, gzipFile }, signal)).text;
  };
  const said = configured === null ? await announced(site, fetchText) : [configured];
  const starts = said ?? [`https://${site}/sitemap.xml`];

  const pages = new Map<string, SitemapPage>();
  let [skipped, files, truncated] = [0, 0, false];
  let sitemaps = 0;
  let failure: unknown = null;
  const take = (address: string): void => {
    const page = pageOf(address, isOwn);
    if (page === null) skipped += 1;
    else if (pages.size < MAX_PAGES) pages.set(`${page.host}${page.path}`, page);
    else truncated ||= !pages.has(`${page.host}${page.path}`);
  };
  const seen = new Set<string>();
  const visit = async (url: string, depth: number): Promise<void> => {
    if (seen.has(url)) return;
    seen.add(url);
    if (files >= MAX_FILES || pages.size >= MAX_PAGES) {
      truncated = true;
      return;
    }
    files += 1;
    try {
      const {
        kind,
        addresses,
        truncated: cut,
      } = readSitemapText(await fetchText(url, FILE_BYTES, true), MAX_PAGES);
      if (kind === null) throw new SitemapError('not_a_sitemap');
      sitemaps += 1;
      truncated ||= cut;
      if (kind === 'pages') for (const address of addresses) take(address);
      else if (depth < MAX_DEPTH) {
        for (const address of addresses) {
          if (isOwn(hostOf(address) ?? '')) await visit(address, depth + 1);
          else skipped += 1;
        }
      }
    } catch (error) {
      // One part of an index that fails takes nothing from the others.
      failure ??= error;
    }
  };
  for (const start of starts) await visit(start, 0);
  const [url = ''] = starts;
  if (pages.size === 0) throw sitemapError(failure, 'empty', said === null && sitemaps === 0);
  // With a part that could not be read it is not whole either: its pages are not gone.
  return { url, pages: [...pages.values()].sort(byPath), truncated: truncated || failure !== null, skipped };
}

/** @returns null: the site says nothing of a sitemap */
async function announced(
  site: string,
  fetchText: (url: string, maxBytes: number, gzipFile: boolean) => Promise<string>,
): Promise<string[] | null> {
  try {
    const found = sitemapsOfRobots(
      await fetchText(`https://${site}/robots.txt`, ROBOTS_BYTES, false),
      MAX_FILES,
    );
    if (found.length > 0) return found;
  } catch (error) {
    // No robots.txt is usual; what keeps us from the site altogether will say so again.
    if (!(error instanceof DownloadError)) throw error;
  }
  return null;
}

/** @param guessed no one said that there is one, so its absence is no error */
function sitemapError(cause: unknown, otherwise: string, guessed: boolean): SitemapError {
  if (cause instanceof SitemapError) return cause;
  if (!(cause instanceof DownloadError))
    return new SitemapError(cause === null ? otherwise : 'unreachable', { cause });
  return new SitemapError(guessed && /^http_4(?:04|10)$/.test(cause.word) ? 'no_sitemap' : cause.word, {
    cause,
  });
}

function hostOf(address: string): string | null {
  const url = URL.parse(address);
  return url?.protocol === 'https:' ? url.hostname : null;
}

/** As hits name a page: host and path, without query. */
function pageOf(address: string, isOwn: (host: string) => boolean): SitemapPage | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || !isOwn(url.hostname)) return null;
  return url.pathname.length > MAX_PATH ? null : { host: url.hostname, path: url.pathname };
}

const byPath = (a: SitemapPage, b: SitemapPage): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.host < b.host ? -1 : 1;
