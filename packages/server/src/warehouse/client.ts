/** The warehouse's connection: `@clickhouse/client` over HTTP, to a ClickHouse server or to the embedded backend. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseLogLevel, createClient, parseError } from '@clickhouse/client';
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Clock, Log } from '../common/index.ts';
import { Damages } from './damage.ts';
import { LANE_HEADER, LANES, type LaneName } from './embedded/protocol.ts';
import { type EmbeddedOptions, type Endpoint, startEmbedded } from './embedded/supervisor.ts';
import { lostConnection, understood, WarehouseDamaged, WarehouseUnavailable } from './errors.ts';
import { type Account, FairQueue, SERVICE } from './fair-queue.ts';
import { PROGRESS_HEADERS } from './progress.ts';
import { tellMissingRights } from './rights.ts';
import { migrate } from './schema/migrate.ts';
import { withSpans } from './spans.ts';
import { render, type Statement, settingsClause } from './statement.ts';
import { findTopology, type Topology } from './topology.ts';
import type { Warehouse } from './warehouse.ts';

export interface WarehouseOptions {
  /** `http(s)://user:password@host:8123/database`, or null for the embedded backend in `dataDir`. */
  readonly url: string | null;
  readonly dataDir: string;
  /** Days that raw hits are kept; changing it changes the tables at the next `migrate()`. */
  readonly retentionDays: number;
  /** CLICKHOUSE_CLUSTER: the cluster of one shard whose replicas hold the tables; `none`: one server, whatever clusters it knows. */
  readonly cluster?: string | null;
  readonly log: Log;
  readonly clock: Clock;
  /** Bounds of the embedded backend. */
  readonly embedded?: Partial<Pick<EmbeddedOptions, 'memoryBytes' | 'backupsDirectory' | 'backoff'>>;
}

/** Per lane: sockets (more than the embedded lane holds, so that its bounded queue is the one that counts), and how long a request may take before the client gives up, milliseconds. */
const LIMITS: Readonly<Record<LaneName, { sockets: number; timeout: number }>> = {
  write: { sockets: 10, timeout: MINUTE_MS },
  live: { sockets: 70, timeout: 15_000 },
  report: { sockets: 20, timeout: 300_000 },
};

/**
 * Statements of a lane that run at once, over all callers. On the embedded backend a few more than it has connections, so that its own
 * queue, which knows no callers, never fills.
 */
const AT_ONCE: Readonly<Record<'live' | 'report', { embedded: number; server: number }>> = {
  live: { embedded: 8, server: 48 },
  report: { embedded: 4, server: 14 },
};
/** A first page asks about thirty statements; six of them open at once are served, eighty have to wait. */
const WAITING = { waitingPerCaller: 200, waiting: 2_000, patienceMs: 30_000 } as const;

const OPENING_BRACE = 0x7b;
const CLOSING = Buffer.from('}\n');

/** What an answer without rows may say: an exception. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Parameters of a command are in its URL, which proxies take up to 8 KiB of. */
const MAX_COMMAND_PARAMETERS = 5_000;

/** The whole of a result is held in memory, here and in the embedded backend: a LIMIT bounds its rows, this what long texts make of them. */
const RESULT_BYTES = 256 * 1024 * 1024;

/** @throws EmbeddedEngineError when the embedded backend can't run here */
export async function openWarehouse(options: WarehouseOptions): Promise<Warehouse> {
  const { url, log } = options;
  const embedded =
    url === null
      ? await startEmbedded({
          directory: resolve(join(options.dataDir, 'warehouse')),
          log,
          ...options.embedded,
        })
      : null;
  const server: Endpoint | null = url === null ? null : { url, password: null };
  const connect = connections(() => (embedded === null ? server : embedded.endpoint()));

  const account = new AsyncLocalStorage<Account>();
  const backend = embedded === null ? 'server' : 'embedded';
  const queues = {
    live: new FairQueue({ ...WAITING, running: AT_ONCE.live[backend] }),
    report: new FairQueue({ ...WAITING, running: AT_ONCE.report[backend] }),
  };
  const damages = new Damages(options.clock, log);
  /** Errors name a table by the UUID of its directory where the engine has no better word. */
  const named = async (error: WarehouseDamaged): Promise<WarehouseDamaged> => {
    const { table, part } = error.damage;
    if (part === '' || /^[a-z_]+$/.test(table)) return error;
    try {
      const result = await connect.client('live').query({
        query: `SELECT table FROM system.parts WHERE database = currentDatabase() AND name = '${part}' AND position(path, '${table}') > 0 LIMIT 1`,
        format: 'JSONEachRow',
      });
      const [row] = await result.json<{ table: string }>();
      return new WarehouseDamaged({ table: row?.table ?? '', part }, { cause: error.cause });
    } catch {
      return new WarehouseDamaged({ table: '', part }, { cause: error.cause });
    }
  };
  /** The shipper's lane has one asker and no queue of ours. */
  const inTurn = async <Result>(
    lane: LaneName,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    try {
      if (lane === 'write') return await work();
      return await queues[lane].run(account.getStore() ?? SERVICE, work, signal);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      const meant = understood(error);
      if (!(meant instanceof WarehouseDamaged)) throw meant;
      const whole = await named(meant);
      damages.note(whole.damage);
      throw whole;
    }
  };

  let topology: Promise<Topology> | null = null;
  /** Kept once it is known; a server that is down is asked again. */
  const known = async (): Promise<Topology> => {
    topology ??= findTopology(warehouse, {
      embedded: embedded !== null,
      configured: options.cluster ?? null,
      log,
    }).catch((error: unknown) => {
      topology = null;
      throw error;
    });
    return await topology;
  };

  const warehouse: Warehouse = {
    clock: options.clock,
    onBehalfOf: (whose, run) => account.run(whose, run),
    rows: async <Row>(lane: LaneName, statement: Statement, signal?: AbortSignal) => {
      const query = render({
        ...statement,
        settings: { max_result_bytes: RESULT_BYTES, ...statement.settings },
      });
      const ask = async () => {
        const client = connect.client(lane);
        const queryId = randomUUID();
        // The embedded backend ends a query whose client has gone. A server continues it, unless it gets a KILL QUERY.
        const kill = () => {
          const end = async () => {
            // A balancer may hand this to another replica than the one that runs the query.
            const { everywhere } = await known();
            await client.command({ query: `KILL QUERY${everywhere} WHERE query_id = '${queryId}' ASYNC` });
          };
          end().catch((error: unknown) => log.warn({ err: error }, 'a cancelled query could not be ended'));
        };
        if (embedded === null) signal?.addEventListener('abort', kill, { once: true });
        try {
          const result = await client.query({
            query,
            format: 'JSONEachRow',
            query_id: queryId,
            query_params: { ...statement.params },
            use_multipart_params: true,
            ...(signal === undefined ? {} : { abort_signal: signal }),
          });
          spokenByClickHouse(result.response_headers);
          return await result.json<Row>();
        } finally {
          signal?.removeEventListener('abort', kill);
        }
      };
      return await inTurn(
        lane,
        () =>
          ask().catch((error: unknown) => {
            // Whose reader leaves has its connection closed, and the next reader may just have been given it: asking again changes nothing.
            if (lostConnection(error) && signal?.aborted !== true) return ask();
            throw error;
          }),
        signal,
      );
    },
    lines: async (statement) => {
      const query = `${render(statement)}\nFORMAT JSONEachRow`;
      return await inTurn('report', async () => {
        const parameters = { query, query_params: { ...statement.params }, use_multipart_params: true };
        const { stream, response_headers: headers } = await connect.client('report').exec(parameters);
        const chunks: Buffer[] = [];
        for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
        const lines = Buffer.concat(chunks);
        spokenByClickHouse(headers);
        // A server that fails on the way says so at the end of what it has sent.
        if (lines.length > 0 && (lines[0] !== OPENING_BRACE || !lines.subarray(-2).equals(CLOSING)))
          throw parseError(lines.subarray(-MAX_ANSWER_BYTES).toString('utf8'));
        return lines;
      });
    },
    command: async (statement, lane = 'write') => {
      const query = render(statement);
      const parameters = { ...statement.params };
      if (JSON.stringify(parameters).length > MAX_COMMAND_PARAMETERS)
        throw new RangeError('A command has more parameters than an address may hold');
      await inTurn(lane, () =>
        execute(connect.client(lane), {
          query,
          query_params: parameters,
          ...(embedded === null ? PROGRESS_HEADERS : {}),
        }),
      );
    },
    insertRows: async (table, settings, body) => {
      const query = `INSERT INTO ${table} ${settingsClause(settings)} FORMAT JSONEachRow`;
      await inTurn('write', () =>
        // One buffer: the client would decode a string stream chunk by chunk and break characters at the borders.
        execute(connect.client('write'), { query, values: Readable.from([body]) }),
      );
    },
    migrate: async () => {
      const { ddl, standing } = await known();
      await migrate(warehouse, ddl, options.retentionDays, log);
      if (standing !== 'embedded') await tellMissingRights(warehouse, standing, log);
      await damages.look(warehouse);
    },
    standing: async () => (await known()).standing,
    replication: async () => (await known()).ddl,
    syncReplica: async (table) => {
      try {
        await warehouse.command({ sql: `SYSTEM SYNC REPLICA ${table} LIGHTWEIGHT` }, 'report');
      } catch (error) {
        log.debug({ err: error, table }, 'a replica could not be made to catch up');
      }
    },
    ping: async () => {
      await warehouse.rows('live', { sql: 'SELECT 1', settings: { max_execution_time: 5 } });
      damages.check();
    },
    pid: () => embedded?.pid() ?? null,
    close: async () => {
      await connect.close();
      await embedded?.stop();
    },
  };
  return withSpans(warehouse);
}

/**
 * A statement without rows. A server that has begun to send headers can only say in the body that it failed afterwards.
 * @throws ClickHouseError, and whatever the connection says
 */
async function execute(
  client: ClickHouseClient,
  params: Parameters<ClickHouseClient['exec']>[0],
): Promise<void> {
  const { stream, response_headers: headers } = await client.exec(params);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (bytes < MAX_ANSWER_BYTES) chunks.push(chunk);
    bytes += chunk.length;
  }
  const answer = Buffer.concat(chunks).toString('utf8');
  const failed = headers?.['x-clickhouse-exception-code'] !== undefined || /^Code: \d+\. /m.test(answer);
  if (failed) throw parseError(answer);
  spokenByClickHouse(headers);
}

/**
 * A page that something else answered with 200 holds no rows, and would read as "none"; of an insert it would read as "stored".
 * @throws Error
 */
function spokenByClickHouse(headers: Readonly<Record<string, unknown>> | undefined): void {
  if (headers?.['x-clickhouse-query-id'] === undefined)
    throw new Error('CLICKHOUSE_URL is answered by something that is not ClickHouse');
}

/** Clients for the endpoint of the moment: the embedded backend has a new port and token after each start. */
function connections(current: () => Endpoint | null) {
  let endpoint: Endpoint | null = null;
  let clients: ReadonlyMap<LaneName, ClickHouseClient> = new Map();
  const closeAll = async () => {
    const old = [...clients.values()];
    clients = new Map();
    await Promise.all(old.map((client) => client.close()));
  };
  return {
    client(lane: LaneName): ClickHouseClient {
      const now = current();
      if (now === null) throw new WarehouseUnavailable('The embedded warehouse is starting again');
      if (now !== endpoint) {
        void closeAll();
        endpoint = now;
        clients = new Map(LANES.map((name) => [name, connectLane(now, name)]));
      }
      const client = clients.get(lane);
      if (client === undefined) throw new WarehouseUnavailable('The warehouse is closed');
      return client;
    },
    close: closeAll,
  };
}

function connectLane({ url, password }: Endpoint, lane: LaneName): ClickHouseClient {
  return createClient({
    url,
    ...(password === null ? {} : { username: 'default', password }),
    application: 'ghostlight',
    max_open_connections: LIMITS[lane].sockets,
    request_timeout: LIMITS[lane].timeout,
    http_headers: { [LANE_HEADER]: lane },
    log: { level: ClickHouseLogLevel.OFF },
  });
}
