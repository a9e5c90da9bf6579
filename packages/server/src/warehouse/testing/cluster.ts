/**
 * Two replicas of one shard behind a balancer, played: a proxy that speaks ClickHouse's HTTP in front of two embedded engines. chDB has no
 * ReplicatedMergeTree and no ON CLUSTER, so the proxy takes both out of the statements and plays what they do:
 *
 * - a log (Keeper's part): rows are committed under their token once, whichever replica took them and however often they are sent; rows
 *   without a token are told apart by their bytes;
 * - the other replica gets a committed entry later (lag), and reads on it show nothing of it before;
 * - `insert_quorum`: the answer waits for a majority, and an insert is refused (285) while there is none;
 * - `SYSTEM SYNC REPLICA`: waits until the replica that was asked has all that was committed;
 * - `select_sequential_consistency` does nothing, as on a server where quorum inserts run in parallel;
 * - DDL and mutations reach a replica that is down when it comes back; a client that waits for it gets an error (159, 341).
 *
 * What it is not: ClickHouse's own replication, Keeper's elections, disks that fail, the time-outs of a real network. `lag`, `faults`, `denied`
 * and `down` may be changed at any moment.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundaryOf, readParts } from '../embedded/multipart.ts';
import { type EmbeddedEngine, startEmbedded } from '../embedded/supervisor.ts';
import { silent } from './warehouse.ts';

/** What befalls one statement. `cut_before`: it never arrives; `cut_after`: it takes effect and its answer is lost. */
export type Fault = 'none' | 'page' | 'cut_before' | 'cut_after';

export interface Cluster {
  /** For CLICKHOUSE_URL. */
  readonly url: string;
  /** Milliseconds until the other replica has what one committed. */
  lag: () => number;
  /** Asked for every statement that comes through the balancer. */
  faults: (statement: string) => Fault;
  /** Which replica the balancer picks. */
  route: () => number;
  /** Statements that this user may not run. */
  denied: RegExp | null;
  /** Replicas that are down. Their rows stay. */
  readonly down: Set<number>;
  /** What the cluster's tables of itself say. `replica`: columns of a row of system.replicas that are out of the ordinary. */
  describe: {
    clusters: readonly Record<string, unknown>[];
    macros: readonly string[];
    replica?: (replica: number, table: string) => Record<string, unknown>;
    keepers?: readonly Record<string, unknown>[];
  };
  /** Every statement that was taken, in order. */
  readonly statements: string[];
  /** Resolves when every replica that is up has all that was committed. */
  settled(): Promise<void>;
  /** Asks one replica past the balancer. */
  ask<Row>(replica: number, sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

interface Entry {
  /** Empty: nothing that can be repeated. */
  readonly key: string;
  readonly has: Set<number>;
  readonly store: (replica: number) => Promise<void>;
  /** Earliest moment at which the others get it; milliseconds of `performance.now()`. */
  readonly from: number;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Asked {
  readonly statement: string;
  /** Rows of an insert. */
  readonly body: Buffer | null;
  readonly params: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** Proxies take 8 to 16 KiB. */
const MAX_ADDRESS = 8_192;
const PAGE = '<html><head><title>502 Bad Gateway</title></head><body>upstream</body></html>';
const REPLICAS = [0, 1] as const;
const QUORUM = 2;
const QUORUM_WAIT_MS = 2_000;

export async function startCluster(): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), 'ghostlight-cluster-'));
  const engines: EmbeddedEngine[] = await Promise.all(
    REPLICAS.map((replica) =>
      startEmbedded({
        directory: join(directory, `replica-${replica}`),
        log: silent,
        memoryBytes: 600 * 1024 * 1024,
      }),
    ),
  );
  const log: Entry[] = [];
  /** Token or digest → how the first insert under it ends. */
  const blocks = new Map<string, Promise<Answer>>();
  const queues: Promise<void>[] = REPLICAS.map(() => Promise.resolve());

  const forward = async (replica: number, { statement, body, params, headers }: Asked): Promise<Answer> => {
    const endpoint = engines[replica]?.endpoint();
    if (endpoint === null || endpoint === undefined) throw new Error('a replica is not running');
    const search = new URLSearchParams(params);
    search.delete('query');
    for (const name of [...search.keys()]) if (PROGRESS.has(name)) search.delete(name);
    if (body !== null) search.set('query', statement);
    const response = await fetch(`${endpoint.url}/?${search}`, {
      method: 'POST',
      headers: {
        'X-ClickHouse-Key': endpoint.password ?? '',
        'X-Ghostlight-Lane': String(headers['x-ghostlight-lane'] ?? 'live'),
      },
      body: body === null ? statement : new Uint8Array(body),
    });
    const answered: Record<string, string> = {};
    for (const [name, value] of response.headers) if (name.startsWith('x-clickhouse')) answered[name] = value;
    return { status: response.status, body: await response.text(), headers: answered };
  };

  /** Brings a replica to the end of the log, as far as lag and `until` allow. */
  const pull = (replica: number, until: number): Promise<void> => {
    const next = (queues[replica] ?? Promise.resolve()).then(async () => {
      for (const entry of log) {
        if (cluster.down.has(replica)) return;
        if (entry.has.has(replica) || entry.from > until) continue;
        await entry.store(replica);
        entry.has.add(replica);
      }
    });
    queues[replica] = next.catch(() => undefined);
    return next;
  };
  const pulling = setInterval(() => {
    for (const replica of REPLICAS) pull(replica, performance.now()).catch(() => undefined);
  }, 20);

  /** Rows that a replica has taken: committed under their token, then on their way to the other one. */
  const commit = async (replica: number, asked: Asked, rows: Asked): Promise<Answer> => {
    const table = /INSERT INTO (\w+)/.exec(asked.statement)?.[1] ?? '';
    const alive = REPLICAS.filter((one) => !cluster.down.has(one)).length;
    const quorum = /insert_quorum = 'auto'/.test(asked.statement);
    if (quorum && alive < QUORUM) return exception(285, 'TOO_FEW_LIVE_REPLICAS');
    const token = /insert_deduplication_token = '([^']+)'/.exec(asked.statement)?.[1];
    const key = `${table}/${
      token ??
      createHash('sha256')
        .update(rows.body ?? '')
        .digest('hex')
    }`;
    const standing = blocks.get(key);
    const first = standing ?? store(replica, key, rows);
    if (standing === undefined) {
      blocks.set(key, first);
      // What was refused was not committed: the token is free again.
      first.then(
        ({ status }) => status === 200 || blocks.delete(key),
        () => blocks.delete(key),
      );
    }
    const answer = await first;
    if (answer.status !== 200 || !quorum) return answer;
    const entry = log.find((one) => one.key === key);
    const until = performance.now() + QUORUM_WAIT_MS;
    while (entry !== undefined && entry.has.size < QUORUM) {
      if (performance.now() > until) return exception(319, 'UNKNOWN_STATUS_OF_INSERT');
      await sleep(10);
    }
    return answer;
  };
  const store = async (replica: number, key: string, rows: Asked): Promise<Answer> => {
    const plain = { ...rows, statement: localInsert(rows.statement) };
    const answer = await forward(replica, plain);
    if (answer.status !== 200) return answer;
    const entry: Entry = {
      key,
      has: new Set([replica]),
      from: performance.now() + cluster.lag(),
      store: async (other) => {
        const copied = await forward(other, plain);
        if (copied.status !== 200) throw new Error(copied.body);
      },
    };
    log.push(entry);
    return answer;
  };

  /** DDL, mutations: every replica runs them in the log's order. */
  const everywhere = async (asked: Asked): Promise<Answer> => {
    const local = { ...asked, statement: localDdl(asked.statement) };
    const up = REPLICAS.find((one) => !cluster.down.has(one));
    if (up === undefined) return exception(279, 'ALL_CONNECTION_TRIES_FAILED');
    await pull(up, performance.now());
    const answer = await forward(up, local);
    if (answer.status !== 200) return answer;
    const entry: Entry = {
      key: '',
      has: new Set([up]),
      from: 0,
      store: async (other) => {
        const copied = await forward(other, local);
        if (copied.status !== 200) throw new Error(copied.body);
      },
    };
    log.push(entry);
    if (REPLICAS.every((one) => !cluster.down.has(one))) {
      for (const one of REPLICAS) await pull(one, Number.MAX_VALUE);
      return answer;
    }
    if (/ON CLUSTER/.test(asked.statement)) return exception(159, 'TIMEOUT_EXCEEDED');
    return /mutations_sync = 2/.test(asked.statement) ? exception(341, 'UNFINISHED') : answer;
  };

  /** `INSERT … SELECT` reads what its replica has and commits the rows it made. */
  const insertSelect = async (replica: number, asked: Asked): Promise<Answer> => {
    const [, into = '', select = ''] =
      /^(INSERT INTO \w+\s*(?:\([^)]*\))?)\s*(SELECT[\s\S]*)$/.exec(asked.statement) ?? [];
    const made = await forward(replica, { ...asked, statement: `${select}\nFORMAT JSONCompactEachRow` });
    if (made.status !== 200 || made.body === '') return made;
    const settings = /SETTINGS ([^\n]*)$/.exec(asked.statement)?.[1] ?? '';
    const token = settings.split(', ').filter((one) => one.startsWith('insert_'));
    const clause = token.length === 0 ? '' : ` SETTINGS ${token.join(', ')}`;
    const statement = `${into}${clause} FORMAT JSONCompactEachRow`;
    const rows = { ...asked, params: new URLSearchParams(), statement, body: Buffer.from(made.body) };
    return await commit(replica, { ...asked, statement }, rows);
  };

  const answer = async (replica: number, asked: Asked): Promise<Answer> => {
    const { statement, body } = asked;
    if (cluster.denied?.test(statement) === true) return exception(497, 'ACCESS_DENIED');
    if (body !== null) return await commit(replica, asked, asked);
    if (/^INSERT INTO/.test(statement)) return await insertSelect(replica, asked);
    const sync = /^SYSTEM SYNC REPLICA (\w+)/.exec(statement)?.[1];
    if (sync !== undefined) {
      await pull(replica, Number.MAX_VALUE);
      return told(asked, []);
    }
    if (/^CHECK GRANT/.test(statement)) return told(asked, [{ result: 1 }]);
    if (/^(?:CREATE|ALTER|DELETE|OPTIMIZE|DROP)/.test(statement)) return await everywhere(asked);
    if (/^KILL QUERY/.test(statement)) {
      const local = { ...asked, statement: statement.replace(/ ON CLUSTER `[^`]*`/, '') };
      const killed = await Promise.all(
        REPLICAS.filter((one) => !cluster.down.has(one)).map((one) => forward(one, local)),
      );
      return killed[0] ?? exception(279, 'ALL_CONNECTION_TRIES_FAILED');
    }
    const ofAll =
      /clusterAllReplicas\('\w+', system\.(\w+)\)|FROM system\.(replicas|zookeeper_connection)\b/.exec(
        statement,
      );
    if (ofAll !== null) return await ofEveryReplica(replica, asked, ofAll[1] ?? ofAll[2] ?? '');
    if (/FROM system\.clusters/.test(statement)) return told(asked, cluster.describe.clusters);
    if (/FROM system\.macros/.test(statement))
      return told(
        asked,
        cluster.describe.macros.map((value) => ({ value })),
      );
    if (/SELECT hostName\(\)/.test(statement)) return told(asked, [{ value: `replica-${replica}` }]);
    const given = await forward(replica, asked);
    if (!/FROM system\.tables/.test(statement)) return given;
    const replicated = given.body
      .replaceAll('"MergeTree', '"ReplicatedMergeTree')
      .replaceAll('non_replicated_deduplication_window = 0', 'replicated_deduplication_window = 10000');
    return { ...given, body: replicated };
  };

  /** What the replicas that are up say of themselves; without `clusterAllReplicas`, the one that was asked. */
  const ofEveryReplica = async (replica: number, asked: Asked, table: string): Promise<Answer> => {
    const every = asked.statement.includes('clusterAllReplicas');
    const up = every ? REPLICAS.filter((one) => !cluster.down.has(one)) : [replica];
    const host = (one: number) => `replica-${one}`;
    if (table === 'one')
      return told(
        asked,
        up.map((one) => ({ host: host(one) })),
      );
    if (table === 'zookeeper_connection') {
      const keepers = up.map((one) => ({ replica: host(one), keeper: 'keeper:9181', expired: 0 }));
      return told(asked, cluster.describe.keepers ?? keepers);
    }
    if (table === 'replicas') {
      const inactive = REPLICAS.filter((one) => cluster.down.has(one)).map(host);
      const usual = {
        ...{ is_readonly: 0, is_session_expired: 0, delay: '0', queue: '0', lost_parts: '0', trouble: '' },
        ...{ total: REPLICAS.length, active: REPLICAS.length - inactive.length, inactive },
      };
      const rows = up.flatMap((one) =>
        ['events', 'hits'].map((of) => ({
          ...{ host: host(one), table: of, ...usual },
          ...cluster.describe.replica?.(one, of),
        })),
      );
      return told(asked, rows);
    }
    const statement = asked.statement.replace(/clusterAllReplicas\('\w+', (system\.\w+)\)/, '$1');
    return await forward(replica, { ...asked, statement });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const address = request.url ?? '/';
    if (address.length > MAX_ADDRESS) return void response.writeHead(414).end(PAGE);
    const asked = readAsked(address, request, Buffer.concat(chunks));
    if (asked.statement !== '') cluster.statements.push(asked.statement);
    const fault = cluster.faults(asked.statement);
    const replica = cluster.route();
    if (address === '/ping' && fault === 'none' && !cluster.down.has(replica))
      return void response.end('Ok.\n');
    if (fault === 'page' || cluster.down.has(replica))
      return void response.writeHead(502, { 'Content-Type': 'text/html' }).end(PAGE);
    if (fault === 'cut_before') return void response.destroy();
    const given = await answer(replica, asked);
    // A replica that went away meanwhile has done what it did, and answers no more.
    if (fault === 'cut_after' || cluster.down.has(replica)) return void response.destroy();
    response.writeHead(given.status, { 'X-ClickHouse-Query-Id': 'played', ...given.headers }).end(given.body);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  let turn = 0;
  const cluster: Cluster = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/default`,
    lag: () => 0,
    faults: () => 'none',
    route: () => {
      turn += 1;
      return turn % REPLICAS.length;
    },
    denied: null,
    down: new Set(),
    describe: { clusters: [{ value: '1' }, { value: '1' }], macros: ['shard', 'replica'] },
    statements: [],
    async settled() {
      for (const replica of REPLICAS) await pull(replica, Number.MAX_VALUE);
    },
    async ask<Row>(replica: number, sql: string) {
      const { status, body } = await forward(replica, {
        ...{ statement: `${sql} FORMAT JSONEachRow`, body: null, params: new URLSearchParams(), headers: {} },
      });
      if (status !== 200) throw new Error(body);
      return body
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
    },
    async close() {
      clearInterval(pulling);
      server.closeAllConnections();
      server.close();
      await Promise.all(queues);
      await Promise.all(engines.map((engine) => engine.stop()));
      await rm(directory, { recursive: true, force: true });
    },
  };
  return cluster;
}

const PROGRESS = new Set(['send_progress_in_http_headers', 'http_headers_progress_interval_ms']);

function readAsked(address: string, { headers }: IncomingMessage, body: Buffer): Asked {
  const params = new URL(address, 'http://localhost').searchParams;
  const query = params.get('query');
  if (query !== null && body.length > 0) return { statement: query.trim(), body, params, headers };
  const boundary = boundaryOf(headers['content-type']);
  if (boundary === null) return { statement: (query ?? body.toString()).trim(), body: null, params, headers };
  const parts = new Map(readParts(body, boundary));
  for (const [name, text] of parts) if (name !== 'query') params.set(name, text);
  return { statement: (parts.get('query') ?? '').trim(), body: null, params, headers };
}

/** The token is the log's business: the engine would keep a second one of its own. */
const localInsert = (statement: string): string =>
  statement
    .replace(/insert_\w+ = (?:'[^']*'|\d+)(?:, )?/g, '')
    .replace(/, (?= ?FORMAT)/, '')
    .replace(/SETTINGS\s+(?=FORMAT)/, '');

const localDdl = (statement: string): string =>
  statement
    .replace(/ ON CLUSTER `[^`]*`/g, '')
    .replace(/ReplicatedMergeTree(?:\([^)]*\))?/g, 'MergeTree')
    .replace(/replicated_deduplication_window_seconds = \d+,?\s*/g, '')
    .replace(/replicated_deduplication_window = \d+,?/g, 'non_replicated_deduplication_window = 0,')
    .replace(/,\s*$/, '')
    .replace('mutations_sync = 2', 'mutations_sync = 1');

const told = (_: Asked, rows: readonly Record<string, unknown>[]): Answer => ({
  status: 200,
  body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  headers: {},
});

const exception = (code: number, name: string): Answer => ({
  status: 500,
  body: `Code: ${code}. DB::Exception: played. (${name})\n`,
  headers: { 'X-ClickHouse-Exception-Code': String(code) },
});
