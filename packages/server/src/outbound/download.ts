/** Reads one document over https, bounded in every direction: time, size (after decompression), redirects, and where it connects to. */
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { getDomain } from 'tldts';
import { createAddressGuard } from './public-address.ts';
import { below, decoded, guardedLookup, isLoopback, literalAddress } from './reach.ts';

export interface DownloadRequest {
  readonly url: string;
  /** Bytes, after decompression. */
  readonly maxBytes: number;
  /** How many may be followed; each must stay on https and within the same site. */
  readonly redirects: number;
  readonly accept: string;
  /** Why we ask, for the owner of the other side: it ends in the user agent. */
  readonly purpose: string;
  /** A browser's headers, for hosts that answer plain clients with a challenge page. */
  readonly asBrowser?: boolean;
  /** The document itself may be a gzip file, as sitemaps are (`.xml.gz`), whatever coding it came in; `maxBytes` counts what is in it. */
  readonly gzipFile?: boolean;
  /** The whole of it, from the first connection to the last byte. */
  readonly timeoutMs: number;
}

export interface Downloaded {
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Reads a document; only a 200 counts as one. @throws DownloadError with a word for the status */
export type Download = (request: DownloadRequest, signal?: AbortSignal) => Promise<Downloaded>;

export interface DownloadOptions {
  /** Host → other base URL, for tests and private gateways; only these may be http or private. */
  readonly hosts: ReadonlyMap<string, string>;
  /**
   * `public` (default): a name that resolves into our own network leads nowhere. `any`: for a command, whose user could ask every address
   * that it can; plain http is then taken too, on loopback alone.
   */
  readonly reach?: 'public' | 'any';
}

/** What went wrong, in words that may be shown: `http_403`, `timeout`, `too_large`, `redirected`, `private_address`, `not_https`, `unreachable`. */
export class DownloadError extends Error {
  readonly word: string;
  constructor(word: string, options: { cause?: unknown } = {}) {
    super(`The document could not be read: ${word}`, options);
    this.name = 'DownloadError';
    this.word = word;
  }
}

export function createDownload({ hosts, reach = 'public' }: DownloadOptions): Download {
  const isPublic = reach === 'any' ? () => true : createAddressGuard();
  const lookup = guardedLookup(isPublic, () => new DownloadError('private_address'));

  const open = (address: string, request: DownloadRequest, signal: AbortSignal): Promise<IncomingMessage> => {
    const url = new URL(address);
    const mapped = hosts.get(url.hostname);
    const plain = url.protocol === 'http:' && reach === 'any' && isLoopback(url.hostname);
    if (url.protocol !== 'https:' && !plain) throw new DownloadError('not_https');
    const literal = literalAddress(url);
    if (mapped === undefined && literal !== null && !isPublic(literal))
      throw new DownloadError('private_address');
    const options: RequestOptions = { headers: headersFor(request), signal, agent: false };
    return new Promise((resolveResponse, reject) => {
      const sent =
        mapped === undefined
          ? (plain ? httpRequest : httpsRequest)(url, { ...options, lookup }, resolveResponse)
          : elsewhere(below(mapped, url), options, resolveResponse);
      sent.once('error', reject);
      sent.end();
    });
  };

  return async (request, signal) => {
    const deadline = AbortSignal.timeout(request.timeoutMs);
    const aborted = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    try {
      let url = request.url;
      for (let left = request.redirects; ; left--) {
        const response = await open(url, request, aborted);
        const { statusCode = 0 } = response;
        if (statusCode === 200) {
          const { headers } = response;
          return { text: await readText(response, request, aborted), headers };
        }
        response.destroy();
        const location = response.headers.location;
        if (statusCode < 300 || statusCode > 399 || location === undefined)
          throw new DownloadError(`http_${statusCode}`);
        const next = URL.parse(location, url);
        if (left === 0 || next === null || !sameSite(new URL(url), next))
          throw new DownloadError('redirected');
        url = next.href;
      }
    } catch (error) {
      if (deadline.aborted) throw new DownloadError('timeout', { cause: error });
      if (error instanceof DownloadError) throw error;
      throw new DownloadError('unreachable', { cause: error });
    }
  };
}

/**
 * What one owner registered: below a public suffix (`shop.co.uk`), those that a host lets to its customers among them (`shop.github.io`).
 * A name without one (an address, `localhost`) is a site by itself.
 */
const siteOf = (hostname: string): string => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;

function sameSite(from: URL, to: URL): boolean {
  return (
    to.protocol === 'https:' &&
    to.port === '' &&
    to.username === '' &&
    siteOf(from.hostname) === siteOf(to.hostname)
  );
}

function elsewhere(target: URL, options: RequestOptions, done: (response: IncomingMessage) => void) {
  return (target.protocol === 'http:' ? httpRequest : httpsRequest)(target, options, done);
}

function headersFor({ accept, purpose, asBrowser = false }: DownloadRequest): Record<string, string> {
  const common = { Accept: accept, 'Accept-Encoding': 'gzip, br' };
  if (!asBrowser) {
    return { ...common, 'User-Agent': `Ghostlight (self-hosted; ${purpose})` };
  }
  return {
    ...common,
    'User-Agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Accept-Language': 'en-US,en;q=0.9',
    'Sec-Fetch-Dest': 'document',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Site': 'none',
    'Upgrade-Insecure-Requests': '1',
  };
}

async function readText(
  response: IncomingMessage,
  { maxBytes, gzipFile = false }: DownloadRequest,
  signal: AbortSignal,
): Promise<string> {
  const body = decoded(response, () => new DownloadError('unreachable'));
  if (body === null) throw new DownloadError('unknown_encoding');
  const stop = () => body.destroy(new DownloadError('timeout'));
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new DownloadError('too_large');
      chunks.push(chunk);
    }
    const whole = Buffer.concat(chunks);
    return (gzipFile && isGzip(whole) ? await unpacked(whole, maxBytes) : whole).toString('utf8');
  } finally {
    signal.removeEventListener('abort', stop);
    response.destroy();
  }
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function unpacked(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const tooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    throw new DownloadError(tooLarge ? 'too_large' : 'unknown_encoding', { cause: error });
  }
}
