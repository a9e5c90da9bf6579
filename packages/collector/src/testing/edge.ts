/** The collector in miniflare: with key-value store, cache and `cf`, but with miniflare's own entry in front (see bare-workerd.ts). */

import type { Readable } from 'node:stream';
import { Response as EdgeResponse, Miniflare, type RequestInit } from 'miniflare';
import type { CollectorEnv } from '../platform.ts';
import { bundle, COLLECTOR_ENTRY, COMPATIBILITY_DATE } from './bundle.ts';
import { createInternet, type Internet, type RecordedRequest } from './internet.ts';
import { ENV } from './values.ts';

export interface EdgeOptions {
  /** Variables; `ENV` of values.ts where not given. */
  readonly env?: CollectorEnv;
  /** Source of the Worker; the collector itself where not given. Relative imports start at packages/collector/src. */
  readonly entry?: string;
  /** Binds `WEBMCP_CACHE`. Off by default, as the binding is optional. */
  readonly kv?: boolean;
  /** The Cache API; on by default. */
  readonly cache?: boolean;
  readonly internet?: Internet;
}

/** What the edge knows of a visitor in these tests. */
export const CF = { asn: 3320, country: 'DE' };

type EdgeAnswer = Awaited<ReturnType<Miniflare['dispatchFetch']>>;

export interface Edge {
  readonly internet: Internet;
  /** What the Worker said to its log so far, one entry per line. */
  readonly log: readonly string[];
  /** @param cf `CF` where not given */
  visit(url: string, init?: RequestInit, cf?: Record<string, unknown>): Promise<EdgeAnswer>;
  /** Runs the Worker's `scheduled` handler. */
  scheduled(): Promise<unknown>;
  /** The namespace behind `WEBMCP_CACHE`. */
  kv(): ReturnType<Miniflare['getKVNamespace']>;
  close(): Promise<void>;
}

export async function startEdge(options: EdgeOptions = {}): Promise<Edge> {
  const internet = options.internet ?? createInternet();
  const log: string[] = [];
  const runtime = new Miniflare({
    // Named as the only module: a script is read for imports first, which takes as long as the start of the runtime.
    modules: [
      { type: 'ESModule', path: 'worker.js', contents: await bundle(options.entry ?? COLLECTOR_ENTRY) },
    ],
    compatibilityDate: COMPATIBILITY_DATE,
    bindings: { ...(options.env ?? ENV) } as Record<string, string>,
    kvNamespaces: options.kv === true ? ['WEBMCP_CACHE'] : [],
    cache: options.cache ?? true,
    outboundService: async (request: Request) => {
      const answer = await internet.answer(await recorded(request));
      if (answer === undefined) return new EdgeResponse('unreachable', { status: 502 });
      return new EdgeResponse(answer.body, { status: answer.status, headers: [...answer.headers] });
    },
    handleRuntimeStdio: (out: Readable, err: Readable) => {
      for (const stream of [out, err]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          log.push(...text.split('\n').filter((line) => line !== ''));
        });
      }
    },
  });
  await runtime.ready;
  return {
    internet,
    log,
    visit: (url, init = {}, cf = CF) => runtime.dispatchFetch(url, { redirect: 'manual', ...init, cf }),
    scheduled: async () => (await runtime.getWorker()).scheduled({ cron: '* * * * *' }),
    kv: () => runtime.getKVNamespace('WEBMCP_CACHE'),
    close: () => runtime.dispose(),
  };
}

async function recorded(request: Request): Promise<RecordedRequest> {
  const url = new URL(request.url);
  return {
    host: url.host,
    method: request.method,
    url: request.url,
    path: url.pathname + url.search,
    headers: new Headers([...request.headers]),
    body: await request.text(),
  };
}
