/**
 * A server for CLICKHOUSE_URL whose address stands before it answers: the embedded engine behind a port that can be opened and closed. What a
 * server takes beside a statement and the engine does not (settings in the address) is left out on the way.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/warehouse/embedded/supervisor.ts';
import {
  offerWarehouse,
  SERVICE_RETENTION_DAYS,
  silent,
} from '../../packages/server/src/warehouse/testing/warehouse.ts';
import { freePort } from './free-port.ts';

const TAKEN = /^(query|query_id|default_format|enable_http_compression|wait_end_of_query|param_.*)$/;

export interface StandIn {
  /** For CLICKHOUSE_URL, with the password. */
  readonly url: string;
  /** Answers from now on. */
  open(): Promise<void>;
  /** Refuses connections from now on, and cuts those that stand. */
  close(): Promise<void>;
  /** Closes, ends the engine, removes its files. */
  dispose(): Promise<void>;
}

/**
 * @param backupsDirectory where `BACKUP … TO File(…)` may write
 * @param migrated with the tables that the first start of a service would make
 */
export async function startStandIn({
  backupsDirectory = null,
  migrated = false,
}: {
  backupsDirectory?: string | null;
  migrated?: boolean;
} = {}): Promise<StandIn> {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-clickhouse-'));
  if (migrated) offerWarehouse(directory, SERVICE_RETENTION_DAYS);
  const store = join(directory, 'warehouse');
  const engine = await startEmbedded({ directory: store, log: silent, backupsDirectory });
  const endpoint = engine.endpoint();
  if (endpoint === null) throw new Error('the engine is down');
  const upstream = new URL(endpoint.url);
  let server: Server | null = null;

  const port = await freePort();
  const listen = (): Promise<Server> =>
    new Promise((resolve, reject) => {
      const made = createServer((request, response) => {
        const url = new URL(request.url ?? '/', upstream);
        for (const name of [...url.searchParams.keys()]) if (!TAKEN.test(name)) url.searchParams.delete(name);
        const { method, headers } = request;
        const on = httpRequest(url, { method: method ?? 'GET', headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        on.on('error', () => response.destroy());
        response.on('close', () => on.destroy());
        request.pipe(on);
      });
      made.once('error', reject).listen(port, '127.0.0.1', () => resolve(made));
    });
  const close = async () => {
    const closing = server;
    server = null;
    if (closing === null) return;
    const closed = new Promise((resolve) => closing.close(resolve));
    closing.closeAllConnections();
    await closed;
  };

  return {
    url: `http://default:${endpoint.password}@127.0.0.1:${port}/default`,
    async open() {
      server = await listen();
    },
    close,
    async dispose() {
      await close();
      await engine.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
