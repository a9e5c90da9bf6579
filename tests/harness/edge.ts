/** The collector in workerd before a site, posting to a service: with the platform's key-value store, cache and `cf`, and without the platform. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Miniflare, type RequestInit } from 'miniflare';
import { bundle, COMPATIBILITY_DATE } from '../../packages/collector/src/testing/bundle.ts';

export const HOST = 'shop.example';
export const MANIFEST_PATH = '/.well-known/webmcp.json';
/** As `scripts/build.ts` has built it. */
const COLLECTOR = fileURLToPath(
  new URL('../../packages/collector/dist/ghostlight-collector.js', import.meta.url),
);
/** The built collector with a clock that a request's header sets ahead, in milliseconds; nothing else of it is changed. */
const CLOCKED = (file: string) => `
import collector from ${JSON.stringify(file)};
const now = Date.now;
let ahead = 0;
Date.now = () => now() + ahead;
export default { fetch(request, env, ctx) {
  ahead = Number(request.headers.get('x-test-ahead') ?? ahead);
  return collector.fetch(request, env, ctx);
} };`;
/** The way out: the site is behind the edge, everything else is the network. */
const NETWORK = `export default {
  fetch: (request, env) => new URL(request.url).hostname === '${HOST}' ? env.SITE.fetch(request) : fetch(request),
};`;

export interface EdgeOptions {
  /** Address of the service, without a trailing slash. */
  readonly service: string;
  readonly property: { readonly id: string; readonly key: string };
  readonly site?: RequestListener;
  /** Binds `WEBMCP_CACHE`. */
  readonly kv?: boolean;
  /** Over the harness's own: samples nothing, serves the manifest. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface VisitOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cf?: Readonly<Record<string, unknown>>;
  /** How far the collector's clock goes ahead from here on; milliseconds. */
  readonly ahead?: number;
}

type EdgeAnswer = Awaited<ReturnType<Miniflare['dispatchFetch']>>;

export interface TestEdge {
  /** @param path or a whole URL; https://shop.example where it is none */
  visit(path: string, options?: VisitOptions): Promise<EdgeAnswer>;
  kv(): ReturnType<Miniflare['getKVNamespace']>;
  /** What the collector said to its log. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

/** The site of who has no wishes: a page for every path, and a manifest of its own. */
export const plainSite: RequestListener = (request, response) => {
  request.resume();
  if (request.url?.startsWith('/gone') === true) response.statusCode = 404;
  response.setHeader('Content-Type', request.url === MANIFEST_PATH ? 'application/json' : 'text/html');
  response.end(request.url === MANIFEST_PATH ? '{"of":"the site itself"}' : '<p>A lamp.</p>');
};

/** A cold one: nothing in memory, cache or namespace. */
export async function startTestEdge(options: EdgeOptions): Promise<TestEdge> {
  const { service, property } = options;
  const site = createServer(options.site ?? plainSite);
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const log: string[] = [];
  // A Worker whose modules are named is not read for imports, which takes as long as the start of the runtime.
  const worker = (name: string, contents: string) => ({
    name,
    compatibilityDate: COMPATIBILITY_DATE,
    modules: [{ type: 'ESModule' as const, path: `${name}.js`, contents }],
  });
  const runtime = new Miniflare({
    handleRuntimeStdio: (out: Readable, err: Readable) => {
      for (const stream of [out, err])
        stream.setEncoding('utf8').on('data', (text: string) => log.push(text));
    },
    workers: [
      {
        ...worker('collector', await bundle(CLOCKED(COLLECTOR))),
        outboundService: 'network',
        kvNamespaces: options.kv === true ? ['WEBMCP_CACHE'] : [],
        bindings: {
          SERVICE_INGEST_URL: `${service}/v1/logs/edge_worker`,
          SERVICE_ATTRIBUTION_ID: property.id,
          SERVICE_BOTLIST_URL: `${service}/v1/config/ai-bots`,
          SERVICE_SAMPLE_RATE: '0',
          SERVICE_MANIFEST_URL: `${service}/api/v1/webmcp`,
          SERVICE_API_KEY: property.key,
          ...options.variables,
        },
      },
      {
        ...worker('network', NETWORK),
        serviceBindings: {
          SITE: { external: { address: `127.0.0.1:${(site.address() as AddressInfo).port}`, http: {} } },
        },
      },
    ],
  });
  await runtime.ready;
  return {
    log,
    visit: (path, { method = 'GET', headers = {}, cf = {}, ahead } = {}) => {
      const init: RequestInit = {
        method,
        headers: { ...headers, ...(ahead === undefined ? {} : { 'x-test-ahead': String(ahead) }) },
        cf: { ...cf },
        redirect: 'manual',
      };
      return runtime.dispatchFetch(new URL(path, `https://${HOST}`), init);
    },
    kv: () => runtime.getKVNamespace('WEBMCP_CACHE', 'collector'),
    async close() {
      await runtime.dispose();
      site.close();
      site.closeAllConnections();
    },
  };
}
