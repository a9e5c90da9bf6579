/**
 * The composition root, as a list: data directory → stores → rooms → application → listeners. What is made here is stopped here, in
 * the reverse order; `composition/` holds the parts of the list and nothing else makes stores.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { type Backups, RESTORE_MARK } from './backup/index.ts';
import { type Clock, type Log, StartError, traceWith } from './common/index.ts';
import { createApplication, loadServedFiles } from './composition/application.ts';
import { createBackupControl, openBackups, scheduleBackups, tellOfSpools } from './composition/backups.ts';
import { startControl } from './composition/control.ts';
import { catchUpOnLists } from './composition/list-refresh.ts';
import { openRooms, type Rooms } from './composition/rooms.ts';
import { openStores, type Stores, statsOf } from './composition/stores.ts';
import { Teardown } from './composition/teardown.ts';
import type { Config } from './config.ts';
import { takeDataDir } from './data-dir.ts';
import { PLATFORMS } from './destinations/index.ts';
import {
  addAlertMetrics,
  addBackupMetrics,
  addDamageMetrics,
  addEventMetrics,
  addForwardingMetrics,
  addQuotaMetrics,
  addShopMetrics,
  addWebhookMetrics,
  admitToMetricsPort,
  createHostGate,
  createMetrics,
  createUntrustedProxy,
  type HttpServer,
  problemResponseFor,
  startHttpServer,
  traceBatches,
} from './http/index.ts';
import { createLogger } from './logger.ts';
import { checkOpenFiles } from './open-files.ts';
import { startTracing } from './tracing/index.ts';
import { hitSink, type RowBatch } from './warehouse/index.ts';

export interface Service {
  readonly version: string;
  /** Where it listens; a name inside this process when it doesn't. */
  readonly address: string;
  readonly baseUrl: string;
  readonly appBaseUrl: string;
  readonly adminToken: string;
  /** The admin token when this start made it: shown once. */
  readonly freshAdminToken: string | null;
  /** Makes its user the first owner, once; null when an account exists, or this node doesn't serve the dashboard. */
  readonly welcomeLink: string | null;
  /** When the lists were renewed that were too old at the start, or could not be. */
  readonly caughtUp: Promise<void>;
  readonly backups: Pick<Backups, 'create'>;
  /** The application without a socket, for commands. */
  fetch(request: Request): Promise<Response>;
  /** Stops in order: no new requests, what is acknowledged shipped or left in the spool, stores closed. */
  stop(): Promise<void>;
}

/** The same rooms without a socket and jobs, by a clock of the caller's: who writes a past goes through it at their own pace. */
export interface Loader extends Pick<Service, 'adminToken' | 'fetch' | 'stop'> {
  /** A batch as the shipper inserts it. */
  insertHits(batch: RowBatch): Promise<void>;
  /** Sends every delivery that is due, once. */
  deliver(): Promise<void>;
  /** Evaluates all properties and records alerts. */
  look(): Promise<void>;
}

/** How long requests under way may take after the stop was asked for; milliseconds. */
const STOP_GRACE_MS = 8_000;
/** The same for commands. */
const CONTROL_GRACE_MS = 2_000;
/** The same for what the collector of traces has not taken yet. */
const TRACES_GRACE_MS = 2_000;
const INTERNAL_ADDRESS = 'http://ghostlight.internal';

export interface ServiceOptions {
  /** false: no socket and no jobs, for a command that found no running service. */
  readonly listen: boolean;
  /** Default false: a ClickHouse server that is down is waited for in the background. */
  readonly needsWarehouse?: boolean;
  /** Called when everything is ready except the listener: a temporary holder of its address releases it then. */
  readonly beforeListening?: () => Promise<void>;
}

/** @throws DataDirInUse, EmbeddedEngineError, DecryptError and connection errors, each with a sentence */
export async function createService(config: Config, options: ServiceOptions): Promise<Service> {
  return (await open(config, { ...options, durable: true, clock: Date.now })).service;
}

/** For a data directory that counts only when it is whole: until the loader is stopped, a power cut may spoil it. @throws as `createService` */
export async function createLoader(config: Config, clock: Clock): Promise<Loader> {
  const { service, stores, rooms } = await open(config, {
    listen: false,
    durable: false,
    clock,
    needsWarehouse: true,
  });
  const hits = hitSink(stores.warehouse);
  return {
    ...service,
    insertHits: hits.insert,
    deliver: async () => void (await rooms.forwarding.runOnce()),
    look: async () => void (await rooms.alerts.look()),
  };
}

interface Opened {
  readonly service: Service;
  readonly stores: Stores;
  readonly rooms: Rooms;
}

interface OpenOptions extends ServiceOptions {
  /** See `StoresOptions`. */
  readonly durable: boolean;
  readonly clock: Clock;
}

async function open(config: Config, options: OpenOptions): Promise<Opened> {
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
  { listen, durable, clock, beforeListening, needsWarehouse = false }: OpenOptions,
  log: Log,
  teardown: Teardown,
): Promise<Opened> {
  const version = packageJson.version;
  if (config.destinationHosts.size > 0) {
    const hosts = [...config.destinationHosts.keys()];
    log.warn({ hosts }, 'DESTINATION_HOSTS sends requests for these hosts elsewhere');
  }

  checkOpenFiles(log);
  const dataDir = takeDataDir(config.dataDir);
  teardown.add('data directory', () => dataDir.release());
  if (existsSync(join(config.dataDir, RESTORE_MARK)))
    throw new StartError(
      'DATA_DIR: a restore into it was cut off, and what it holds may be of two times. Run "ghostlight restore FILE --replace" again.',
    );
  const tracing =
    config.tracing === null
      ? null
      : await startTracing({
          ...config.tracing,
          version,
          nodeId: dataDir.nodeId(),
          log: log.child({ room: 'tracing' }),
        });
  if (tracing !== null)
    teardown.add('traces', (remaining) => tracing.stop(Math.min(remaining, TRACES_GRACE_MS)));
  const tracer = tracing?.tracer ?? null;
  const admin =
    config.adminToken === null ? dataDir.secret('admin-token') : { value: config.adminToken, fresh: false };

  let address = INTERNAL_ADDRESS;
  let caughtUp: Promise<void> = Promise.resolve();
  let welcomeLink: string | null = null;
  const baseUrl = () => config.baseUrl ?? address;
  const appBaseUrl = () => config.appBaseUrl ?? address;

  const stores = await openStores(config, { dataDir, durable, clock, log, teardown, needsWarehouse });
  // Before the rooms, so that its last report comes after they have shipped what they can. A command that drains the spool reports too.
  const notice = tellOfSpools(config, stores, { nodeId: dataDir.nodeId(), clock, log });
  teardown.add('spool notice', () => notice?.close());
  const rooms = await openRooms(config, stores, {
    nodeId: dataDir.nodeId(),
    adminToken: admin.value,
    baseUrl,
    appBaseUrl,
    clock,
    log,
    trace: traceWith(tracer),
    teardown,
    runJobs: listen,
  });

  const backups = openBackups(config, stores, rooms, {
    ...{ version, nodeId: dataDir.nodeId(), adminToken: admin.value, clock, log },
    secretKey: config.secretKey ?? dataDir.secret('secret-key').value,
  });
  teardown.add('backup', () => backups.stop());
  const schedule = listen ? scheduleBackups(config, backups, { clock, log }) : null;
  teardown.add('backup schedule', () => schedule?.stop());

  const metrics = createMetrics(stores.spool.stats);
  addDamageMetrics(metrics, () => statsOf(stores));
  addEventMetrics(metrics, rooms.sessions.stats);
  addWebhookMetrics(metrics, rooms.webhooks.activity.counts);
  addShopMetrics(metrics, rooms.webhooks.shops.connections.counts);
  addForwardingMetrics(metrics, rooms.forwarding, PLATFORMS, clock);
  addAlertMetrics(metrics, rooms.alerts, clock);
  addBackupMetrics(metrics, () => schedule?.status() ?? null);
  addQuotaMetrics(metrics, rooms.quotas.states, clock);
  const gate = createHostGate(rooms.domains.domainOf, config.trustProxy);
  const untrustedProxy = createUntrustedProxy({ clock, log });
  const app = createApplication(config, stores, rooms, await loadServedFiles(), {
    version,
    metrics,
    gate,
    untrustedProxy,
    baseUrl,
    appBaseUrl,
    backups: () => schedule?.status() ?? null,
    clock,
    log,
    tracer,
  });

  const endpoints = tracer === null ? rooms.ingest.endpoints : traceBatches(rooms.ingest.endpoints, tracer);
  if (listen) {
    await beforeListening?.();
    const server = await listening('PORT', {
      host: config.host,
      port: config.port,
      raw: config.roles.has('ingest') ? endpoints : new Map(),
      serves: gate.serves,
      fetch: (request, env) => app.fetch(request, env),
      trust: config.trustProxy,
      isHttps: [config.baseUrl, config.appBaseUrl].some((url) => url?.startsWith('https://') === true),
      onUntrustedProxy: untrustedProxy.note,
    });
    teardown.add('listener', async () => {
      await rooms.hub.close();
      await server.close(STOP_GRACE_MS);
    });
    address = addressOf(server);
    if (config.metricsPort !== null) {
      const separate = await listening('METRICS_PORT', {
        host: config.host,
        port: config.metricsPort,
        raw: new Map(),
        fetch: async (request, { incoming }) => {
          try {
            admitToMetricsPort(request, incoming, config.metricsToken);
          } catch (error) {
            return problemResponseFor(error, log);
          }
          return new Response(await metrics.metrics(), { headers: { 'Content-Type': metrics.contentType } });
        },
      });
      teardown.add('metrics listener', () => separate.close(STOP_GRACE_MS));
    }
    const backupControl = createBackupControl(backups, admin.value, log);
    const control = await startControl(
      config.dataDir,
      async (request) => (await backupControl(request)) ?? (await app.fetch(request, {})),
    );
    teardown.add('control socket', () => control.close(CONTROL_GRACE_MS));
    caughtUp = catchUpOnLists(config, rooms, clock, log);
    if (config.roles.has('app')) welcomeLink = await rooms.accounts.start();
    dataDir.announce({
      pid: process.pid,
      address,
      socket: control.path,
      token: admin.value,
      startedAt: new Date(clock()).toISOString(),
    });
    log.info({ address, version }, 'listening');
  }

  let stopping: Promise<void> | undefined;
  const service: Service = {
    version,
    address,
    baseUrl: baseUrl(),
    appBaseUrl: appBaseUrl(),
    adminToken: admin.value,
    freshAdminToken: admin.fresh ? admin.value : null,
    welcomeLink,
    caughtUp,
    backups,
    fetch: async (request) => await app.fetch(request, {}),
    stop() {
      stopping ??= teardown.run(log);
      return stopping;
    },
  };
  return { service, stores, rooms };
}

/** @throws StartError that names the setting when it can't listen there */
async function listening(
  variable: 'PORT' | 'METRICS_PORT',
  options: Parameters<typeof startHttpServer>[0],
): Promise<HttpServer> {
  const { host, port } = options;
  try {
    return await startHttpServer(options);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const sentences: Readonly<Record<string, string>> = {
      EADDRINUSE: `${variable}: port ${port} is taken by another program. Choose a free one.`,
      EACCES: `${variable}: port ${port} needs rights that this user does not have. Choose one above 1023.`,
      ENOTFOUND: `HOST: the name ${host} has no address. Use an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
      EAI_AGAIN: `HOST: the name ${host} could not be looked up. Use an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
      EADDRNOTAVAIL: `HOST: ${host} is not an address of this machine. Use one that is, such as 127.0.0.1 or 0.0.0.0.`,
    };
    const sentence = sentences[code];
    if (sentence === undefined) throw error;
    throw new StartError(sentence, { cause: error });
  }
}

/** Where this machine reaches the listener; a wildcard is reached over loopback. */
function addressOf({ address: { address, family, port } }: HttpServer): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
