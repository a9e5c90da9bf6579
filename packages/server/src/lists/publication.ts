/** The list as it is sent: bytes made once per version, the same on every node. */
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
