/** The service in bare workerd: publishes lists, and accepts hits as configured. */
import type { BotLists } from '@ghostlight/core';
import type { RawSite } from './bare-workerd.ts';
import { publishedLists } from './lists.ts';

export interface RawService {
  readonly site: RawSite;
  /** Every hit that was posted, in order of arrival. */
  readonly hits: Record<string, unknown>[];
  /** Takes the next posts; the last one takes all that follow. */
  takeWith(...sites: RawSite[]): void;
}

/** @param lists null: it publishes none */
export function createRawService(lists: BotLists | null = publishedLists()): RawService {
  const text = JSON.stringify(lists);
  const hits: Record<string, unknown>[] = [];
  let takers: RawSite[] = [(_, response) => response.writeHead(204).end()];
  return {
    hits,
    takeWith: (...sites) => {
      takers = sites;
    },
    site: async (request, response) => {
      if (request.method !== 'POST' && lists === null) {
        response.writeHead(404).end();
        return;
      }
      if (request.method !== 'POST') {
        response.writeHead(200, { 'content-type': 'application/json', etag: '"99"' }).end(text);
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      hits.push(...JSON.parse(Buffer.concat(chunks).toString()));
      const taker = takers.length > 1 ? takers.shift() : takers[0];
      taker?.(request, response);
    },
  };
}
