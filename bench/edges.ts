/** The collector and a Worker that only passes requests on, each in a workerd of its own before the same origin; and who visits them. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BotLists, embeddedLists, type SignatureAgent } from '@ghostlight/core';
import { createSigner } from '../packages/collector/src/signature/testing.ts';
import {
  type BareEdge,
  type RawSite,
  startBareWorkerd,
} from '../packages/collector/src/testing/bare-workerd.ts';
import { PASS_THROUGH_ENTRY } from '../packages/collector/src/testing/bundle.ts';
import { SERVICE_HOST, SITE_HOST } from '../packages/collector/src/testing/internet.ts';
import { listedAgent } from '../packages/collector/src/testing/lists.ts';
import { createRawService, type RawService } from '../packages/collector/src/testing/raw-service.ts';
import { CHROME, ENV, GPTBOT } from '../packages/collector/src/testing/values.ts';
import type { VisitPlan, VisitReport } from './visits.ts';

const execute = promisify(execFile);
const PAGE = '<!doctype html><title>Shop</title>'.repeat(300);
const URL_OF_PAGE = `https://${SITE_HOST}/products/shoes?colour=red&page=2`;

/** An origin that says how long its page is, and one that does not. */
const ORIGINS = {
  declared: (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': String(PAGE.length) }).end(PAGE),
  chunked: (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.write(PAGE.slice(0, 4_096));
    response.end(PAGE.slice(4_096));
  },
} as const satisfies Record<string, RawSite>;

/** Services that take hits at once, late, and never. */
const INGESTS = {
  prompt: (_, response) => response.writeHead(204).end(),
  slow: (_, response) => void setTimeout(() => response.writeHead(204).end(), 2_000),
  hanging: () => {},
} as const satisfies Record<string, RawSite>;

export interface EdgeOptions {
  /** What the service publishes; null: none. */
  lists?: BotLists | null;
  origin?: keyof typeof ORIGINS;
  ingest?: keyof typeof INGESTS;
  /** 1: every visit is forwarded. */
  sampleRate?: '0' | '1';
}

export interface CollectorEdge {
  edge: BareEdge;
  service: RawService;
}

export async function collectorEdge(options: EdgeOptions = {}): Promise<CollectorEdge> {
  const service = createRawService(options.lists === undefined ? embeddedLists() : options.lists);
  service.takeWith(INGESTS[options.ingest ?? 'prompt']);
  const edge = await startBareWorkerd({
    env: { ...ENV, SERVICE_SAMPLE_RATE: options.sampleRate ?? '0' },
    sites: { [SITE_HOST]: ORIGINS[options.origin ?? 'declared'], [SERVICE_HOST]: service.site },
  });
  return { edge, service };
}

export function passThroughEdge(options: EdgeOptions = {}): Promise<BareEdge> {
  return startBareWorkerd({
    entry: PASS_THROUGH_ENTRY,
    sites: { [SITE_HOST]: ORIGINS[options.origin ?? 'declared'] },
  });
}

/** What a visitor sends, as headers of its own. */
export const VISITORS = {
  person: { 'User-Agent': CHROME, Referer: 'https://www.google.com/', 'Accept-Language': 'de,en;q=0.8' },
  bot: { 'User-Agent': GPTBOT, 'CF-Connecting-IP': addressOf('GPTBot') },
} as const satisfies Record<string, Record<string, string>>;

/** The first address that the lists know of a bot. */
function addressOf(bot: string): string {
  const set = embeddedLists().ip_ranges.find(({ bots }) => bots.includes(bot));
  return set?.prefixes[0]?.split('/')[0] ?? '';
}

/** A signed agent that comes with a browser's user agent, and the lists that know it. */
export async function signedVisitor(): Promise<{ headers: Record<string, string>; lists: BotLists }> {
  const signer = await createSigner(Date.now());
  const agent: SignatureAgent = listedAgent([signer.key]);
  const { headers } = await signer.sign({ url: URL_OF_PAGE });
  const lists = embeddedLists();
  return {
    headers: { 'User-Agent': CHROME, ...headers },
    lists: { ...lists, signature_agents: [...lists.signature_agents, agent] },
  };
}

/** A request as the edge hands it to a Worker in front of a site. */
export function requestOf(visitor: Readonly<Record<string, string>>): string {
  const { host, pathname, search } = new URL(URL_OF_PAGE);
  const headers = {
    Host: host,
    'X-Forwarded-Proto': 'https',
    'X-Cf-Blob': JSON.stringify({ asn: 3320, country: 'DE' }),
    Accept: 'text/html,*/*;q=0.8',
    'Accept-Encoding': 'gzip, br',
    'CF-Connecting-IP': '198.51.100.77',
    'CF-Ray': '8f2a6c1d9e4b7a35-FRA',
    ...visitor,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

export async function visits(plan: VisitPlan): Promise<VisitReport> {
  const script = fileURLToPath(new URL('./visits.ts', import.meta.url));
  const { stdout } = await execute(process.execPath, [script, JSON.stringify(plan)], {
    maxBuffer: 64 * 1024 ** 2,
  });
  return JSON.parse(stdout) as VisitReport;
}

/** `main` runs the Worker; the others compile and collect garbage for it. */
export type Threads = 'all' | 'main';

/** CPU that a workerd has taken, user and system: milliseconds. */
async function cpuOf({ pid }: BareEdge, threads: Threads): Promise<number> {
  let nanoseconds = 0;
  for (const thread of threads === 'main' ? [pid] : await readdir(`/proc/${pid}/task`)) {
    nanoseconds += Number((await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')[0]);
  }
  return nanoseconds / 1e6;
}

const POLL_MS = 100;
const MOST_POLLS = 200;

/** The same, once it has nothing more to do. */
export async function cpuAtRest(edge: BareEdge, threads: Threads): Promise<number> {
  let before = Number.NaN;
  for (let polls = 0; polls < MOST_POLLS; polls += 1) {
    const cpu = await cpuOf(edge, threads);
    if (cpu - before < 0.05) return cpu;
    before = cpu;
    await sleep(POLL_MS);
  }
  throw new Error('workerd does not come to rest');
}
