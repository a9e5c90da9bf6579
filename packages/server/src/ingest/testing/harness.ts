/** Ingest behind a real listener, with recorders where the other rooms stand. The recorders keep what they receive, as the real ones do. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import {
  type BotLists,
  type CountedRow,
  compileLists,
  embeddedLists,
  embeddedListsReadAt,
  embeddedSearchEngines,
  type SignatureAgent,
  type Source,
  type StoredHit,
  withSearchEngines,
} from '@ghostlight/core';
import { isbot } from 'isbot';
import type { Log } from '../../common/index.ts';
import { type KeyPlaces, type PresentedKey, presentedKey } from '../../keys/index.ts';
import { pathOf, type Settings } from '../../sources/index.ts';
import type { SpoolEntry, SpoolReceipt, SpoolRow, SpoolUpload, UploadReceipt } from '../../spool/index.ts';
import { createIngest } from '../ingest.ts';
import {
  type BatchClaims,
  type Claim,
  type HitSpool,
  type IngestDeps,
  type IngestKey,
  type IngestLimits,
  type KeyDirectories,
  type KeyVerdict,
  NO_LIMITS,
  type PropertyLimits,
  type RawHandler,
  type Signal,
  type Thread,
} from '../ports.ts';

export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const PROPERTY = '11111111-1111-4111-8111-111111111111';
export const SECOND_PROPERTY = '22222222-2222-4222-8222-222222222222';
export const FOREIGN_PROPERTY = '33333333-3333-4333-8333-333333333333';
export const ORGANIZATION = '00000000-0000-4000-8000-000000000001';
const keyOf = (letter: string): string => `svc_cf_${letter.repeat(43)}`;
/** Has a default property. */
export const KEY = keyOf('a');
/** Has none. */
export const BARE_KEY = keyOf('b');
export const REVOKED_KEY = keyOf('c');
export const UNKNOWN_KEY = keyOf('d');

export const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

/** A durable queue in memory: entries and committed uploads stay, with duplicates told apart as the real one does. */
export class RecordingSpool implements HitSpool {
  readonly entries: SpoolEntry[] = [];
  readonly #dedup = new Set<string>();
  readonly #digests = new Set<string>();
  isAccepting = true;
  failure: Error | null = null;
  open = 0;
  /** Hits; numbers of others are in `counted`. */
  kept = 0;
  duplicate = 0;
  /** Elements of batches that were taken before. */
  repeated = 0;

  accepting(): boolean {
    return this.isAccepting;
  }

  async append(entry: SpoolEntry): Promise<SpoolReceipt> {
    if (this.failure !== null) throw this.failure;
    return this.#record(entry);
  }

  openUpload(): SpoolUpload {
    const staged: SpoolRow[] = [];
    let isOpen = true;
    this.open += 1;
    const end = (): void => {
      if (isOpen) this.open -= 1;
      isOpen = false;
    };
    return {
      stage: async (rows) => {
        if (this.failure !== null) throw this.failure;
        staged.push(...rows);
      },
      commit: async (tally, { scope, hex }) => {
        if (this.failure !== null) throw this.failure;
        end();
        if (this.#digests.has(`${scope} ${hex}`)) {
          this.repeated += tally.received;
          return 'already_taken';
        }
        this.#digests.add(`${scope} ${hex}`);
        return this.#record({ ...tally, rows: staged });
      },
      takenElsewhere: async ({ received }) => {
        end();
        this.repeated += received;
      },
      abort: async () => end(),
    };
  }

  get hits(): StoredHit[] {
    return this.#rows.filter((row): row is StoredHit => row.class !== 'counted');
  }

  /** How many others there were. */
  get counted(): CountedRow[] {
    return this.#rows.filter((row): row is CountedRow => row.class === 'counted');
  }

  get #rows(): (StoredHit | CountedRow)[] {
    return this.entries.flatMap(({ rows }) =>
      rows.map(({ line }) => JSON.parse(line) as StoredHit | CountedRow),
    );
  }

  sum(member: 'dropped' | 'rejected'): Record<string, number> {
    const total: Record<string, number> = {};
    for (const entry of this.entries) {
      for (const [reason, count] of Object.entries(entry[member]))
        total[reason] = (total[reason] ?? 0) + count;
    }
    return total;
  }

  #record(entry: SpoolEntry): UploadReceipt {
    const parts = [...Object.values(entry.dropped), ...Object.values(entry.rejected)];
    if (parts.reduce((sum, count) => sum + count, entry.rows.length) !== entry.received) {
      throw new Error(`not conserved: ${JSON.stringify({ ...entry, rows: entry.rows.length })}`);
    }
    const fresh = entry.rows.filter(({ dedupKey }) => {
      if (dedupKey === null) return true;
      if (this.#dedup.has(dedupKey)) return false;
      this.#dedup.add(dedupKey);
      return true;
    });
    this.entries.push({ ...entry, rows: fresh });
    const hits = (rows: readonly SpoolRow[]): number =>
      rows.filter(({ label }) => label !== 'counted').length;
    this.kept += hits(fresh);
    this.duplicate += hits(entry.rows) - hits(fresh);
    const isFresh = new Set(fresh);
    const repeated = entry.rows.filter((row) => !isFresh.has(row));
    return {
      kept: fresh.length,
      duplicate: repeated.length,
      duplicatesOf: new Map(
        Map.groupBy(repeated, ({ label }) => label)
          .entries()
          .map(([label, rows]) => [label, rows.length]),
      ),
    };
  }
}

class RecordingClaims implements BatchClaims {
  answer: 'claimed' | 'taken' | 'busy' = 'claimed';
  isFailing = false;
  /** Claims come when it resolves. */
  hanging: Promise<void> | null = null;
  confirmed = 0;
  released = 0;

  async claim(): Promise<Claim> {
    await this.hanging;
    if (this.answer !== 'claimed') return { state: this.answer };
    return {
      state: 'claimed',
      confirm: async () => {
        if (this.isFailing) throw new Error('database away');
        this.confirmed += 1;
      },
      release: async () => {
        this.released += 1;
      },
    };
  }
}

const NO_DIRECTORIES: KeyDirectories = { held: () => null, all: () => new Map(), want: () => undefined };
const QUIET: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => QUIET };

export interface Harness {
  readonly url: string;
  readonly port: number;
  readonly spool: RecordingSpool;
  readonly claims: RecordingClaims;
  readonly signals: Signal[];
  /** Times that the database was asked for a key. */
  readonly lookups: () => number;
  /** Ids of keys that were noted as used by a signature. */
  readonly used: readonly string[];
  readonly endpoints: ReadonlyMap<string, RawHandler>;
  post(endpoint: Source, body: string | Uint8Array, options?: PostOptions): Promise<Answer>;
  /** Sends bytes on a socket and resolves with all that comes back. */
  raw(bytes: string | Uint8Array): Promise<string>;
  close(): Promise<void>;
}

export interface PostOptions {
  readonly key?: string | null;
  /** Default POST. */
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** @param heapMb what it may have at most */
export const startThread = (heapMb?: number): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb },
  });

let shared: Worker | null = null;
/** One thread for all tests of a process: a new one for each would take most of their time. Nothing that one test does to it is seen by another. */
function sharedThread(): Thread {
  shared ??= startThread();
  const thread = shared;
  return {
    postMessage: (message, transfer) => thread.postMessage(message, transfer),
    on: () => undefined,
    unref: () => thread.unref(),
    terminate: () => Promise.resolve(),
  };
}

export async function startIngest(
  options: {
    limits?: Partial<IngestLimits>;
    log?: Log;
    peekable?: boolean;
    revoked?: Set<string>;
    /** What every key knows of its sender. */
    settings?: Settings;
    /** Address ranges were read today, so that they refute. */
    freshLists?: boolean;
    /** Keys of `PROPERTY` that may sign; changed by tests while it runs. */
    signers?: IngestKey[];
    /** Signature agents over those of the list. */
    agents?: readonly SignatureAgent[];
    directories?: KeyDirectories;
    /** Epoch milliseconds; default `NOW`. */
    now?: () => number;
    /** Properties that tell search crawlers apart. */
    ofProperty?: Partial<PropertyLimits>;
    searchEngines?: Set<string>;
    /** Threads that read what is large; default one. */
    threads?: number;
    startThread?: () => Thread;
    /** After how long the listener ends a connection on which nothing moves; default never. */
    idleMs?: number;
  } = {},
): Promise<Harness> {
  const spool = new RecordingSpool();
  const claims = new RecordingClaims();
  const signals: Signal[] = [];
  const used: string[] = [];
  let lookups = 0;
  const embedded = options.freshLists === true ? embeddedListsReadAt(NOW) : embeddedLists();
  const plain: BotLists = {
    ...embedded,
    signature_agents: [...(options.agents ?? []), ...embedded.signature_agents],
  };
  const plainWithSearch = withSearchEngines(embeddedLists(), embeddedSearchEngines());
  const compiled = compileLists(plain);
  const withSearch = compileLists(plainWithSearch);
  const deps: IngestDeps<PresentedKey> = {
    keys: {
      everySetting: async (name) => [options.settings?.[name]].filter((value) => value !== undefined),
      signers: async (_, attributionId, setting) => {
        lookups += 1;
        const { signers: keys = [] } = options;
        return attributionId === PROPERTY ? keys.filter(({ settings = {} }) => setting in settings) : [];
      },
      noteUse: (id) => void used.push(id),
      presentedKey: (places: KeyPlaces) => presentedKey(places),
      peek: (presented) =>
        options.peekable === true ? verdictOf(presented, options.revoked, options.settings) : null,
      verify: async (presented) => {
        lookups += 1;
        return verdictOf(presented, options.revoked, options.settings);
      },
    },
    properties: {
      ownerOf: (id) => {
        if (id === FOREIGN_PROPERTY) return Promise.resolve('another-organization');
        return id === PROPERTY || id === SECOND_PROPERTY ? ORGANIZATION : null;
      },
      domainsOf: (id) => (id === PROPERTY ? ['shop.example', 'track.example'] : []),
      tellsSearchEngines: (id) => options.searchEngines?.has(id) === true,
      limitsOf: () => ({ ...NO_LIMITS, ...options.ofProperty }),
    },
    lists: {
      current: () => compiled,
      withSearchEngines: () => withSearch,
      plain: () => plain,
      plainWithSearchEngines: () => plainWithSearch,
      directories: options.directories ?? NO_DIRECTORIES,
    },
    spool,
    claims,
    signals: { note: (signal) => void signals.push(signal) },
    addressOf: ({ headers, socket }) => String(headers['x-test-address'] ?? socket.remoteAddress ?? ''),
    isBot: (userAgent) => isbot(userAgent),
    toRow: (hit) => JSON.stringify(hit),
    clock: options.now ?? (() => NOW),
    log: options.log ?? QUIET,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    threads: { start: options.startThread ?? sharedThread, most: options.threads ?? 1 },
  };
  const ingest = createIngest(deps);
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const endpoint = ingest.endpoints.get(path);
    if (endpoint === undefined) response.writeHead(404).end();
    else endpoint(request, response, query);
  });
  server.setTimeout(options.idleMs ?? 0);
  const port = await listen(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    endpoints: ingest.endpoints,
    url,
    port,
    spool,
    claims,
    signals,
    lookups: () => lookups,
    used,
    post: async (endpoint, body, { key = KEY, method = 'POST', query = '', headers = {} } = {}) => {
      const response = await fetch(`${url}${pathOf(endpoint)}${query}`, {
        method,
        headers: { ...(key === null ? {} : { 'X-API-Key': key }), ...headers },
        ...(method === 'GET' || method === 'HEAD'
          ? {}
          : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        json:
          (response.headers.get('content-type') ?? '').includes('json') && text !== ''
            ? JSON.parse(text)
            : null,
      };
    },
    raw: (bytes) => sendRaw(port, bytes),
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await ingest.close();
    },
  };
}

function verdictOf(
  presented: PresentedKey,
  revoked: ReadonlySet<string> = new Set(),
  settings: Settings = {},
): KeyVerdict {
  if (!presented.ok) return { ok: false, cause: presented.cause, organizationId: null };
  const base = { organizationId: ORGANIZATION, prefix: presented.key.slice(0, 12), settings };
  if (revoked.has(presented.key)) return { ok: false, cause: 'revoked', organizationId: ORGANIZATION };
  if (presented.key === KEY) return { ok: true, key: { id: 'key-a', attributionId: PROPERTY, ...base } };
  if (presented.key === BARE_KEY) return { ok: true, key: { id: 'key-b', attributionId: null, ...base } };
  const isRevoked = presented.key === REVOKED_KEY;
  return {
    ok: false,
    cause: isRevoked ? 'revoked' : 'unknown',
    organizationId: isRevoked ? ORGANIZATION : null,
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => undefined);
    socket.write(bytes);
  });
}

/** A worker log object as the collector sends it for an AI bot. */
export function workerHit(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    timestamp: NOW - 1_000,
    worker_version: '0.5.0',
    attribution_id: PROPERTY,
    host: 'shop.example',
    method: 'GET',
    pathname: '/products/1',
    query_params: { page: '2' },
    ip: null,
    user_agent: GPTBOT,
    referer: '',
    status: 200,
    bytes: 5120,
    country: 'US',
    asn: 8075,
    verified: true,
    verified_by: 'edge_cidr',
    ...changes,
  };
}

/** A log push line as Cloudflare writes it for an AI bot. */
export function pushLine(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    EdgeStartTimestamp: '2026-03-01T11:59:59Z',
    ClientRequestHost: 'shop.example',
    ClientRequestMethod: 'GET',
    ClientRequestURI: '/products/1?page=2',
    ClientRequestUserAgent: GPTBOT,
    ClientRequestReferer: '',
    ClientIP: '192.0.2.10',
    ClientCountry: 'us',
    EdgeResponseStatus: 200,
    EdgeResponseBytes: 5120,
    ...changes,
  };
}

export function ndjson(...lines: readonly Record<string, unknown>[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
