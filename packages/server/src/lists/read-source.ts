/** Reads one source: download, parse, and either a result that may replace the current one, or an error code. */
import {
  type IpRangeSet,
  type KeyDirectory,
  MAX_KEY_DIRECTORY_BYTES,
  MAX_RANGE_FILE_LENGTH,
  parseAgentCard,
  parseKeyDirectory,
  parseRangeFile,
  type SignatureAgentKey,
} from '@ghostlight/core';
import { type Download, DownloadError } from '../outbound/index.ts';
import {
  MAX_PUBLISHED_BYTES,
  MAX_SIGNATURE_BYTES,
  type PublishedList,
  readPublishedList,
  type Standing,
} from './published-list.ts';
import { type ListSource, wantsBrowserHeaders } from './sources.ts';

/** What a source said when it was last read well; stored as JSON. */
export type Snapshot =
  | { readonly kind: 'list'; readonly list: PublishedList }
  | { readonly kind: 'ranges'; readonly set: IpRangeSet }
  | { readonly kind: 'keys'; readonly url: string; readonly keys: readonly SignatureAgentKey[] };

export type Reading =
  | { readonly snapshot: Snapshot; readonly entries: number; readonly skipped: number }
  | { readonly error: string };

/** Never throws. @param now epoch milliseconds  @param standing what a published list is held against */
export async function readSource(
  source: ListSource,
  {
    download,
    now,
    timeoutMs,
    standing,
  }: { download: Download; now: number; timeoutMs: number; standing: Standing },
  signal?: AbortSignal,
): Promise<Reading> {
  try {
    const read = async (url: string, request: ReadAs): Promise<string> => {
      const asBrowser = wantsBrowserHeaders(new URL(url).hostname);
      return (await download({ ...request, url, timeoutMs, purpose: PURPOSE, asBrowser }, signal)).text;
    };
    const { url } = source;
    if (source.kind === 'list') {
      const text = await read(url, LIST_FILE);
      const signature = await read(`${url}.sig`, { ...LIST_FILE, maxBytes: MAX_SIGNATURE_BYTES });
      const file = readPublishedList(text, signature, source.key, standing);
      if ('error' in file) return file;
      const snapshot: Snapshot = { kind: 'list', list: file.list };
      return { snapshot, entries: file.list.bot_patterns.length, skipped: 0 };
    }
    if (source.kind === 'ranges') return ranges(source, await read(url, RANGE_FILE));
    const text = await read(url, DIRECTORY);
    if (source.type !== 'cimd') return await keys(source, text, now);
    const card = parseAgentCard(text, url);
    if ('error' in card) return card;
    return await keys(source, 'jwks' in card ? card.jwks : await read(card.jwksUri, DIRECTORY), now);
  } catch (error) {
    return { error: error instanceof DownloadError ? error.word : 'unreadable' };
  }
}

/** A key directory by itself. @throws DownloadError */
export async function readKeyDirectory(
  url: string,
  { download, now, timeoutMs }: { download: Download; now: number; timeoutMs: number },
  signal: AbortSignal,
): Promise<KeyDirectory> {
  const asBrowser = wantsBrowserHeaders(new URL(url).hostname);
  const purpose = 'keys of a signed request';
  const { text } = await download({ ...DIRECTORY, url, timeoutMs, purpose, asBrowser }, signal);
  return parseKeyDirectory(text, now);
}

const PURPOSE = 'daily read of published lists';

interface ReadAs {
  readonly maxBytes: number;
  readonly redirects: number;
  readonly accept: string;
}

/** The signature says whose it is, so redirects are followed. */
const LIST_FILE = { maxBytes: MAX_PUBLISHED_BYTES, redirects: 3, accept: 'application/json, */*;q=0.5' };

const RANGE_FILE = {
  maxBytes: MAX_RANGE_FILE_LENGTH,
  redirects: 3,
  accept: 'application/json, text/html;q=0.8, */*;q=0.5',
} as const;

/** The drafts forbid redirects here: only the host itself may answer. */
const DIRECTORY = {
  maxBytes: MAX_KEY_DIRECTORY_BYTES,
  redirects: 0,
  accept: 'application/http-message-signatures-directory+json, application/json;q=0.9',
} as const;

function ranges(source: ListSource & { kind: 'ranges' }, text: string): Reading {
  const file = parseRangeFile(text);
  if ('error' in file) return file;
  const { engine, bots } = source;
  const set: IpRangeSet = { engine, bots: [...bots], prefixes: file.prefixes };
  return { snapshot: { kind: 'ranges', set }, entries: file.prefixes.length, skipped: file.skipped };
}

async function keys(source: ListSource & { kind: 'keys' }, text: string, now: number): Promise<Reading> {
  const directory = await parseKeyDirectory(text, now);
  if ('error' in directory) return directory;
  const snapshot: Snapshot = { kind: 'keys', url: source.url, keys: directory.keys };
  return { snapshot, entries: directory.keys.length, skipped: directory.skipped };
}
