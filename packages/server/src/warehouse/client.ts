/** The warehouse's connection: `@clickhouse/client` over HTTP, to a ClickHouse server or to the embedded twin. */
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { Clock, Log } from '../kit/index.ts';
import { LANE_HEADER, LANES, type LaneName } from './embedded/protocol.ts';
import { type EmbeddedOptions, type Endpoint, startEmbedded } from './embedded/supervisor.ts';
import { lostConnection, WarehouseUnavailable } from './errors.ts';
import { migrate } from './schema/migrate.ts';
import type { Replication } from './schema/migrations.ts';
import { render, type Statement, settingsClause } from './statement.ts';
import type { Warehouse } from './warehouse.ts';

export interface WarehouseOptions {
  /** `http(s)://user:password@host:8123/database`, or null for the embedded twin in `dataDir`. */
  readonly url: string | null;
  readonly dataDir: string;
  /** Days that raw hits are kept; changing it changes the tables at the next `migrate()`. */
  readonly retentionDays: number;
  /** Replicated tables, for several replicas of one shard. Default: none. */
  readonly replicated?: Replication;
  readonly log: Log;
  readonly clock: Clock;
  /** Bounds of the embedded twin. */
  readonly embedded?: Partial<Pick<EmbeddedOptions, 'memoryBytes' | 'backupsDirectory' | 'backoff'>>;
}

/** Per lane: sockets (more than the embedded lane holds, so that its bounded queue is the one that counts), and how long a request may take before the client gives up, milliseconds. */
const LIMITS: Readonly<Record<LaneName, { sockets: number; timeout: number }>> = {
  write: { sockets: 10, timeout: 60_000 },
  live: { sockets: 70, timeout: 15_000 },
  report: { sockets: 20, timeout: 300_000 },
};

/** The whole of a result is held in memory, here and in the embedded twin: a LIMIT bounds its rows, this what long texts make of them. */
const RESULT_BYTES = 256 * 1024 * 1024;

/** @throws EmbeddedEngineError when the embedded twin can't run here */
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

  const warehouse: Warehouse = {
    clock: options.clock,
    rows: async <Row>(lane: LaneName, statement: Statement, signal?: AbortSignal) => {
      const client = connect.client(lane);
      const queryId = randomUUID();
      // The embedded twin ends a query whose client has gone. A server runs it on, unless told.
      const kill = () => {
        client
          .command({ query: `KILL QUERY WHERE query_id = '${queryId}' ASYNC` })
          .catch((error: unknown) => log.warn({ err: error }, 'a cancelled query could not be ended'));
      };
      if (embedded === null) signal?.addEventListener('abort', kill, { once: true });
      const ask = async () => {
        const result = await client.query({
          query: render({
            ...statement,
            settings: { max_result_bytes: RESULT_BYTES, ...statement.settings },
          }),
          format: 'JSONEachRow',
          query_id: queryId,
          query_params: { ...statement.params },
          ...(signal === undefined ? {} : { abort_signal: signal }),
        });
        return await result.json<Row>();
      };
      // Whose reader leaves has its connection closed, and the next reader may just have been given it: asking again changes nothing.
      const lost = (error: unknown) => lostConnection(error) && signal?.aborted !== true;
      try {
        return await ask().catch((error: unknown) => {
          if (lost(error)) return ask();
          throw error;
        });
      } catch (error) {
        if (!lost(error)) throw error;
        throw new WarehouseUnavailable('The warehouse does not answer', { cause: error });
      } finally {
        signal?.removeEventListener('abort', kill);
      }
    },
    command: async (statement, lane = 'write') => {
      await connect.client(lane).command({ query: render(statement), query_params: { ...statement.params } });
    },
    insertRows: async (table, settings, body) => {
      const result = await connect.client('write').exec({
        query: `INSERT INTO ${table} ${settingsClause(settings)} FORMAT JSONEachRow`,
        // One buffer: the client would decode a string stream chunk by chunk and break characters at the borders.
        values: Readable.from([body]),
      });
      for await (const _ of result.stream);
    },
    migrate: () => migrate(warehouse, options.replicated ?? false, options.retentionDays, log),
    ping: async () => {
      await warehouse.rows('live', { sql: 'SELECT 1', settings: { max_execution_time: 5 } });
    },
    pid: () => embedded?.pid() ?? null,
    close: async () => {
      await connect.close();
      await embedded?.stop();
    },
  };
  return warehouse;
}

/** Clients for the endpoint of the moment: the embedded twin has a new port and token after each start. */
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
