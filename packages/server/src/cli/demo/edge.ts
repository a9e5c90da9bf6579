/**
 * The demo's edge: the collector as it is deployed, in Cloudflare's own open-source runtime (workerd). In front of the shop, posting to
 * the service. The runtime is loaded by this file alone, when the demo starts.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Miniflare } from 'miniflare';
import type { Account } from './account.ts';
import { childrenNamed, reaper } from './child-reaper.ts';
import type { Visit } from './live.ts';
import { HOST } from './shop.ts';

export interface Edge {
  /** Requests to it visit the shop through the edge. */
  readonly port: number;
  /** Waits for the answer's head. */
  visit(visit: Visit): Promise<void>;
  close(): Promise<void>;
}

export interface EdgeOptions {
  /** Where the service listens. */
  readonly service: string;
  /** Where the edge listens, as the service does: in a container, loopback can't be reached from outside. */
  readonly host: string;
  readonly account: Account;
  /** Of the shop, on loopback. */
  readonly sitePort: number;
  /** 0 to 1. */
  readonly sampleRate: number;
  /** Takes what the collector says to the platform's log. */
  readonly log: (line: string) => void;
}

const COLLECTOR = new URL('../../../../collector/dist/ghostlight-collector.js', import.meta.url);
const COMPATIBILITY_DATE = '2026-04-01';
/** The port that local runs of Cloudflare's own tools use; another one if it is taken. */
const PREFERRED_PORT = 8787;
/** On loopback an answer takes milliseconds. */
const VISIT_LIMIT_MS = 30_000;
/** The collector's way out: the shop is behind the edge, everything else is the network. */
const NETWORK = `export default {
  fetch: (request, env) => new URL(request.url).hostname === env.HOST ? env.SITE.fetch(request) : fetch(request),
};`;

/** @throws when the runtime can't run here, or the collector is not built */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { service, host, account, sitePort, sampleRate, log } = options;
  const script = await readFile(COLLECTOR, 'utf8').catch(() => {
    throw new Error('it is not built; `npm run demo` builds it');
  });
  const { Miniflare: Runtime } = await import('miniflare');
  const port = await freePort(host);
  const runtime = withoutItsSignals(
    () =>
      new Runtime({
        host,
        port,
        // Whatever was asked for on localhost is a visit to the shop.
        upstream: `https://${HOST}`,
        // Of a visitor without `cf` nothing is known.
        cf: {},
        handleRuntimeStdio: (out: Readable, err: Readable) => {
          createInterface(out).on('line', (line) => line.startsWith('ghostlight: ') && log(line));
          err.resume();
        },
        workers: [
          {
            name: 'collector',
            modules: true,
            script,
            compatibilityDate: COMPATIBILITY_DATE,
            outboundService: 'network',
            kvNamespaces: ['WEBMCP_CACHE'],
            bindings: {
              SERVICE_INGEST_URL: `${service}/v1/logs/edge_worker`,
              SERVICE_ATTRIBUTION_ID: account.property,
              SERVICE_BOTLIST_URL: `${service}/v1/config/ai-bots`,
              SERVICE_SAMPLE_RATE: String(sampleRate),
              SERVICE_MANIFEST_URL: `${service}/api/v1/webmcp`,
              SERVICE_API_KEY: account.key,
            },
          },
          {
            name: 'network',
            modules: true,
            script: NETWORK,
            compatibilityDate: COMPATIBILITY_DATE,
            bindings: { HOST },
            serviceBindings: { SITE: { external: { address: `127.0.0.1:${sitePort}`, http: {} } } },
          },
        ],
      }),
  );
  try {
    const { port: listening } = await runtime.ready;
    const leashes = (await childrenNamed('workerd')).map((pid) => reaper(pid, 'workerd'));
    return {
      port: Number(listening),
      visit: (visit) => send(runtime, visit),
      async close() {
        for (const { release } of leashes) release();
        await runtime.dispose();
      },
    };
  } catch (error) {
    await runtime.dispose().catch(() => {});
    throw error;
  }
}

async function send(runtime: Miniflare, visit: Visit): Promise<void> {
  const { method, path, query, user_agent, referer, ip, asn, country } = visit;
  const headers = {
    'User-Agent': user_agent,
    'CF-Connecting-IP': ip,
    ...(referer === '' ? {} : { Referer: referer }),
  };
  const url = `https://${HOST}${path}${query === '' ? '' : `?${query}`}`;
  const cf: Record<string, unknown> = { asn, country };
  const signal = AbortSignal.timeout(VISIT_LIMIT_MS);
  const answer = await runtime.dispatchFetch(url, { method, headers, cf, redirect: 'manual', signal });
  await answer.body?.cancel();
}

/** The runtime's package ends the process at a signal. Here the service is stopped in order, and the runtime with it. */
function withoutItsSignals<T>(make: () => T): T {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)));
  const made = make();
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) {
      if (!before.has(listener)) process.removeListener(signal, listener);
    }
  }
  return made;
}

/** @returns 0, which stands for any, where the preferred one is taken */
async function freePort(host: string): Promise<number> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(0));
    probe.listen(PREFERRED_PORT, host, () => probe.close(() => resolve(PREFERRED_PORT)));
  });
}
