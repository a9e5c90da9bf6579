/** Reads the robots.txt of the hosts of a sitemap. */
import { type Download, DownloadError } from '../outbound/index.ts';
import type { SitemapPage } from '../warehouse/index.ts';
import { ROBOTS_BYTES, robotsRules } from './robots.ts';

/** Those with the most pages: the rules of a host are said of its pages alone. */
const MOST_HOSTS = 10;
const TIMEOUT_MS = 15_000;
/** All of them together; what exceeds it is as unknown as a file that could not be read. */
const MOST_CHARACTERS = 512 * 1024;

/** @returns host → its rules, in text. Where there is no robots.txt, that is none; where it could not be read, the host is absent */
export async function readRobotsOf(
  download: Download,
  pages: readonly SitemapPage[],
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  let room = MOST_CHARACTERS;
  for (const host of largest(pages)) {
    const rules = await rulesOf(download, host, signal);
    if (rules === null || rules.length > room) continue;
    room -= rules.length;
    found[host] = rules;
  }
  return found;
}

const largest = (pages: readonly SitemapPage[]): string[] =>
  [...Map.groupBy(pages, ({ host }) => host)]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, MOST_HOSTS)
    .map(([host]) => host);

async function rulesOf(download: Download, host: string, signal: AbortSignal): Promise<string | null> {
  const request = {
    ...{ url: `https://${host}/robots.txt`, maxBytes: ROBOTS_BYTES, redirects: 5 },
    ...{ accept: 'text/plain', purpose: 'robots', timeoutMs: TIMEOUT_MS },
  };
  try {
    return robotsRules((await download(request, signal)).text);
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    // To a crawler, "not there" means that everything is allowed.
    return /^http_4(?!29)\d\d$/.test(error.word) ? '' : null;
  }
}
