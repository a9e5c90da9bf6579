/** The list as it is sent: bytes made once per version, the same on every node. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { BotLists } from '@ghostlight/core';

export interface Publication {
  readonly version: number;
  readonly body: Buffer;
  readonly gzip: Buffer;
  /** Strong validator of `body`; the compressed form has its own, as RFC 9110 asks. */
  readonly etag: string;
  readonly gzipEtag: string;
}

export function createPublication(lists: BotLists, digest: string): Publication {
  const body = Buffer.from(JSON.stringify(lists));
  const tag = `${lists.version}-${digest.slice(0, 16)}`;
  return {
    version: lists.version,
    body,
    gzip: gzipSync(body, { level: 9 }),
    etag: `"${tag}"`,
    gzipEtag: `"${tag}-gzip"`,
  };
}

/** The list with the search crawlers behind it: the version is the bot list's, so its own bytes say whether it has changed. */
export function createSearchPublication(lists: BotLists): Publication {
  return createPublication(lists, createHash('sha256').update(JSON.stringify(lists)).digest('hex'));
}
