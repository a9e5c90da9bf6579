/**
 * The composition root: configuration → stores → rooms → HTTP, and the order in which all of it stops. The only place that makes drivers
 * and hands them out.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isbot } from 'isbot';
import packageJson from '../package.json' with { type: 'json' };
import { createAccounts } from './accounts/index.ts';
import { sessionRoutes } from './accounts/routes.ts';
import type { Config } from './config.ts';
import { type DataDir, takeDataDir } from './data-dir.ts';
import {
  checkCanary,
  createBatchClaims,
  createSealer,
  type Database,
  openDatabase,
} from './database/index.ts';
import { createApp, type Mount } from './http/app.ts';
import { clientAddress } from './http/client-address.ts';
import { createMetrics } from './http/metrics.ts';
import { operationsRoutes } from './http/operations.ts';
import { type HttpServer, startHttpServer } from './http/server.ts';
import { loadStaticFiles } from './http/static.ts';
import { createIngest } from './ingest/index.ts';
import { ingestRoutes } from './ingest/routes.ts';
import { startJobs } from './jobs/index.ts';
import { createIngestKeys, presentedKey } from './keys/index.ts';
import { keyRoutes } from './keys/routes.ts';
import type { Log } from './kit/index.ts';
import { createDownload, createLists } from './lists/index.ts';
import { listManagementRoutes, listPublicationRoutes } from './lists/routes.ts';
import { createLiveHub } from './live/index.ts';
import { liveRoutes } from './live/routes.ts';
import { createLogger } from './logger.ts';
import { createProperties } from './properties/index.ts';
import { propertyRoutes } from './properties/routes.ts';
import { createQuarantine, createSetupSignals, unknownPathSignal } from './setup/index.ts';
import { setupRoutes, warehouseArrivals } from './setup/routes.ts';
import { openSpool } from './spool/index.ts';
import { hitSink, openWarehouse, toRow } from './warehouse/index.ts';

export interface Service {
  readonly version: string;
  /** Where it listens; a name inside this process when it doesn't. */
  readonly address: string;
  readonly baseUrl: string;
  readonly appBaseUrl: string;
  readonly adminToken: string;
  /** The admin token when this start made it: shown once. */
  readonly freshAdminToken: string | null;
  /** The application without a socket, for commands. */
  fetch(request: Request): Promise<Response>;
  /** Stops in order: no new requests, what is acknowledged shipped or left in the spool, stores closed. */
  stop(): Promise<void>;
}

/** How long requests under way may take after the stop was asked for; and the shipper, before the rest waits in the spool. */
const STOP_GRACE_MS = 10_000;
const DRAIN_AT_STOP_MS = 10_000;
/** Longer than any upload that still moves. */
const CLAIM_LEASE_MS = 10 * 60_000;
const INTERNAL_ADDRESS = 'http://ghostlight.internal';
const DASHBOARD = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url));

/** Undo steps, run backwards at the stop, or when the start fails half-way. */
class Teardown {
  readonly #steps: { name: string; run: () => Promise<void> | void }[] = [];

  add(name: string, run: () => Promise<void> | void): void {
    this.#steps.push({ name, run });
  }

  async run(log: Log): Promise<void> {
    for (const { name, run } of this.#steps.splice(0).reverse()) {
      try {
        await run();
      } catch (error) {
        log.error({ err: error, step: name }, 'a step of the stop failed');
      }
    }
  }
}

/**
 * @param options.listen false: no socket, for a command that found no running service
 * @throws DataDirInUse, EmbeddedEngineError, SealError and connection errors, each with a sentence
 */
export async function createService(config: Config, options: { listen: boolean }): Promise<Service> {
  const log = createLogger(config.logLevel);
  const teardown = new Teardown();
  try {
    return await compose(config, options, log, teardown);
  } catch (error) {
    await teardown.run(log);
    throw error;
  }
}

async function compose(
  config: Config,
  { listen }: { listen: boolean },
  log: Log,
  teardown: Teardown,
): Promise<Service> {
  const clock = Date.now;
  const version = packageJson.version;
  const dataDir = takeDataDir(config.dataDir);
  teardown.add('data directory', () => dataDir.release());
  if (config.destinationHosts.size > 0) {
    log.warn(
      { hosts: [...config.destinationHosts.keys()] },
      'DESTINATION_HOSTS sends requests for these hosts elsewhere',
    );
  }
  const admin =
    config.adminToken === null ? dataDir.secret('admin-token') : { value: config.adminToken, fresh: false };

  // Stores
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    log: log.child({ room: 'database' }),
    clock,
  });
  teardown.add('database', () => database.close());
  await checkSecretKey(config, dataDir, database);
  const warehouse = await openWarehouse({
    url: config.clickhouseUrl,
    dataDir: config.dataDir,
    retentionDays: config.retentionDays,
    replicated: config.clickhouseCluster === null ? false : { cluster: config.clickhouseCluster },
    log: log.child({ room: 'warehouse' }),
    clock,
  });
  teardown.add('warehouse', () => warehouse.close());
  await database.underLock('warehouse-migration', () => warehouse.migrate());
  const spool = await openSpool({
    directory: `${config.dataDir}/spool`,
    maxBytes: config.spoolMaxBytes,
    clock,
    log: log.child({ room: 'spool' }),
  });
  teardown.add('spool', () => spool.close());

  // Rooms
  const properties = createProperties(database, { clock });
  const keys = createIngestKeys(database, { clock, log: log.child({ room: 'keys' }) });
  teardown.add('keys', () => keys.close());
  const lists = createLists({
    database,
    download: createDownload(config.destinationHosts),
    clock,
    log: log.child({ room: 'lists' }),
  });
  teardown.add('lists', () => lists.close());
  await lists.start();
  const signals = createSetupSignals({ database, clock, log: log.child({ room: 'setup' }) });
  teardown.add('signals', () => signals.close());
  const quarantine = createQuarantine({ database, source: spool, clock, log: log.child({ room: 'setup' }) });
  teardown.add('quarantine', () => quarantine.close());
  const claims = createBatchClaims(database, { node: nodeName(), clock, leaseMs: CLAIM_LEASE_MS });
  await claims.completeFrom(
    (await spool.recordedUploads()).map(({ scope, hex }) => ({ scope, digest: hex })),
  );

  const shipper = spool.startShipper(hitSink(warehouse));
  teardown.add('shipper', async () => {
    await shipper.drain(DRAIN_AT_STOP_MS);
    await shipper.stop();
  });
  let draining = false;
  const accepting = () => !draining && spool.accepting();

  const jobs = startJobs(
    [
      { name: 'refresh-lists', schedule: '17 2 * * *', run: async () => void (await lists.refresh()) },
      {
        name: 'forget-old',
        schedule: '41 * * * *',
        run: async () => {
          await signals.expire();
          await quarantine.expire();
          await claims.expire();
        },
      },
    ],
    {
      withLock: (name, run) => database.withLock(name, run),
      log: log.child({ room: 'jobs' }),
      enabled: listen && config.roles.has('jobs'),
    },
  );
  teardown.add('jobs', () => jobs.stop());
  if (listen && config.listsRefresh) refreshIfStale(jobs, lists, log);

  const hub = createLiveHub({ clock, log: log.child({ room: 'live' }) });
  const ingest = createIngest({
    keys: { presentedKey, peek: keys.peek, verify: keys.verify },
    properties,
    lists,
    spool: {
      accepting,
      append: (entry) => spool.append(entry),
      openUpload: (endpoint) => spool.openUpload(endpoint),
    },
    claims,
    signals,
    isBot: isbot,
    toRow,
    clock,
    log: log.child({ room: 'ingest' }),
  });

  // HTTP
  let address = INTERNAL_ADDRESS;
  const baseUrl = () => config.baseUrl ?? address;
  const appBaseUrl = () => config.appBaseUrl ?? address;
  const peer = (incoming: IncomingMessage | undefined) =>
    incoming === undefined
      ? { ip: '127.0.0.1', protocol: 'http' as const }
      : clientAddress(incoming, config.trustProxy);
  const accounts = createAccounts(database, {
    adminToken: admin.value,
    clock,
    origins: () => [new URL(appBaseUrl()).origin],
  });
  const metrics = createMetrics(() => spool.stats());
  const managed: Mount[] = [
    propertyRoutes({ properties }),
    keyRoutes({ keys }),
    setupRoutes({ properties, keys, signals, quarantine, arrivals: warehouseArrivals(warehouse), clock }),
    liveRoutes({ properties, warehouse, hub, clock }),
    listManagementRoutes({ lists }),
    operationsRoutes({
      version,
      baseUrl,
      appBaseUrl,
      retentionDays: config.retentionDays,
      spool: () => spool.stats(),
      drain: async (timeoutMs) => {
        draining = true;
        return await shipper.drain(timeoutMs);
      },
    }),
  ].map((routes) => ({ path: '/api/v1', routes }));
  const app = createApp({
    version,
    log: log.child({ room: 'http' }),
    readiness: { spool: accepting, database: () => database.ping(), warehouse: () => warehouse.ping() },
    metrics: config.metricsPort === null ? metrics : null,
    open: [
      { path: '/', routes: listPublicationRoutes({ lists }) },
      { path: '/api/v1', routes: sessionRoutes({ accounts, peer }) },
    ],
    managed,
    authenticate: (request, incoming) => accounts.authenticate(request, peer(incoming)),
    onUnknownPath: (request) => void noteUnknownPath(request, keys, signals),
    dashboard: await loadStaticFiles(DASHBOARD),
  });

  if (listen) {
    const server = await startHttpServer({
      host: config.host,
      port: config.port,
      raw: config.roles.has('ingest') ? ingestRoutes(ingest) : new Map(),
      fetch: (request, env) => app.fetch(request, env),
    });
    address = addressOf(server);
    const metricsServer =
      config.metricsPort === null
        ? null
        : await startHttpServer({
            host: config.host,
            port: config.metricsPort,
            raw: new Map(),
            fetch: async () =>
              new Response(await metrics.metrics(), { headers: { 'Content-Type': metrics.contentType } }),
          });
    teardown.add('listeners', async () => {
      await hub.close();
      await Promise.all([server.close(STOP_GRACE_MS), metricsServer?.close(STOP_GRACE_MS)]);
    });
    dataDir.announce({ pid: process.pid, address, token: admin.value, startedAt: new Date().toISOString() });
    log.info({ address, version }, 'listening');
  }

  let stopping: Promise<void> | undefined;
  return {
    version,
    get address() {
      return address;
    },
    get baseUrl() {
      return baseUrl();
    },
    get appBaseUrl() {
      return appBaseUrl();
    },
    adminToken: admin.value,
    freshAdminToken: admin.fresh ? admin.value : null,
    fetch: async (request) => await app.fetch(request, {}),
    stop() {
      stopping ??= teardown.run(log);
      return stopping;
    },
  };
}

/** A node with another SECRET_KEY would seal what the others can't open: it must not start. */
async function checkSecretKey(config: Config, dataDir: DataDir, database: Database): Promise<void> {
  const secretKey = config.secretKey ?? dataDir.secret('secret-key').value;
  await checkCanary(database, createSealer(secretKey, config.secretKeyPrevious));
}

/** Tells a claim's node from others; a restarted node is another one, whose spool completes what it had recorded. */
function nodeName(): string {
  return randomUUID();
}

function addressOf({ address: { address, family, port } }: HttpServer): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

/** A service that was down at the hour of the daily refresh catches up; one that never refreshed begins with it. */
function refreshIfStale(
  jobs: ReturnType<typeof startJobs>,
  lists: ReturnType<typeof createLists>,
  log: Log,
): void {
  const DAY_MS = 86_400_000;
  void lists
    .status()
    .then(async (sources) => {
      const newest = Math.max(0, ...sources.map(({ fetchedAt }) => fetchedAt ?? 0));
      if (Date.now() - newest > DAY_MS) await jobs.runNow('refresh-lists');
    })
    .catch((error: unknown) =>
      log.warn({ err: error }, 'the lists could not be renewed; the last good ones are in use'),
    );
}

/** A sender at the wrong path is told 404; its owner, where the key names one, finds it in the set-up checker. */
async function noteUnknownPath(
  request: Request,
  keys: ReturnType<typeof createIngestKeys>,
  signals: ReturnType<typeof createSetupSignals>,
): Promise<void> {
  const signal = unknownPathSignal(request.method, new URL(request.url).pathname);
  if (signal === null) return;
  const presented = presentedKey({ header: request.headers.get('x-api-key') ?? undefined, query: undefined });
  const verdict = keys.peek(presented) ?? (await keys.verify(presented).catch(() => null));
  const organizationId =
    verdict === null ? null : verdict.ok ? verdict.key.organizationId : verdict.organizationId;
  signals.note({ ...signal, organizationId });
}
