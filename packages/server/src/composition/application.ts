/** The application over the rooms: which routes stand where, who is let in, what the dashboard is served from. */
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Registry } from 'prom-client';
import { managedAccountRoutes, openAccountRoutes } from '../accounts/routes.ts';
import { alertRoutes } from '../alerts/routes.ts';
import type { ScheduleStatus } from '../backup/index.ts';
import type { Clock, Log, Tracer } from '../common/index.ts';
import type { Config } from '../config.ts';
import { domainAskRoutes, domainRoutes } from '../domains/routes.ts';
import { forwardingRoutes } from '../forwarding/routes.ts';
import {
  clientAddress,
  createApp,
  type HostGate,
  intakeOf,
  loadStaticFiles,
  noteUnknownPath,
  operationsRoutes,
  requestHost,
  type UntrustedProxy,
} from '../http/index.ts';
import { keyRoutes } from '../keys/routes.ts';
import { limitsRoutes } from '../limits/routes.ts';
import { listManagementRoutes, listPublicationRoutes } from '../lists/routes.ts';
import { liveRoutes } from '../live/routes.ts';
import { propertyRoutes } from '../properties/routes.ts';
import { reportRoutes } from '../reports/routes.ts';
import { searchRoutes } from '../search/routes.ts';
import { loadScript } from '../sessions/index.ts';
import { eventRoutes, sessionsRoutes } from '../sessions/routes.ts';
import { createOnboarding } from '../setup/index.ts';
import { setupRoutes, warehouseArrivals } from '../setup/routes.ts';
import { openSharingRoutes, sharingRoutes } from '../sharing/routes.ts';
import { sourceRoutes } from '../sources/routes.ts';
import { missingRights } from '../warehouse/index.ts';
import { webhookEndpoint, webhookRoutes } from '../webhooks/routes.ts';
import { manifestFetches, webmcpPublicRoutes, webmcpRoutes } from '../webmcp/routes.ts';
import type { Rooms } from './rooms.ts';
import { type Stores, statsOf } from './stores.ts';

const SDK = fileURLToPath(new URL('../../../sdk/dist/sdk.js', import.meta.url));
const DASHBOARD = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url));

export interface ApplicationOptions {
  readonly version: string;
  readonly metrics: Registry;
  readonly gate: HostGate;
  readonly untrustedProxy: Pick<UntrustedProxy, 'seen'>;
  readonly baseUrl: () => string;
  readonly appBaseUrl: () => string;
  /** Null: none are scheduled on this node. */
  readonly backups: () => ScheduleStatus | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer: Tracer | null;
}

/** What the application sends as it lies on disk. */
export interface ServedFiles {
  readonly script: Awaited<ReturnType<typeof loadScript>>;
  readonly dashboard: Awaited<ReturnType<typeof loadStaticFiles>>;
}

export async function loadServedFiles(): Promise<ServedFiles> {
  return { script: await loadScript(SDK), dashboard: await loadStaticFiles(DASHBOARD) };
}

export function createApplication(
  config: Config,
  stores: Stores,
  rooms: Rooms,
  files: ServedFiles,
  options: ApplicationOptions,
) {
  const { database, warehouse, spool } = stores;
  const {
    accounts,
    properties,
    keys,
    lists,
    signals,
    quarantine,
    hub,
    webmcp,
    webhooks,
    forwarding,
    domains,
    sessions,
    sharing,
  } = rooms;
  const { version, baseUrl, appBaseUrl, clock } = options;
  const peer = (incoming: IncomingMessage | undefined) =>
    incoming === undefined
      ? { ip: '127.0.0.1', protocol: 'http' as const }
      : clientAddress(incoming, config.trustProxy);
  const shared = {
    ...{ sharing, properties, appBaseUrl, clock },
    ipOf: (incoming: IncomingMessage | undefined) => peer(incoming).ip,
  };
  return createApp({
    version,
    log: options.log.child({ room: 'http' }),
    tracer: options.tracer,
    idempotency: rooms.idempotency,
    readiness: {
      spool: rooms.intakeClosure,
      durability: spool.durability,
      database: () => database.ping(),
      warehouse: () => warehouse.ping(),
      dataDir: config.dataDir,
    },
    onBehalfOf: ({ scope, actor }, run) =>
      warehouse.onBehalfOf(
        { organization: scope.kind === 'organization' ? scope.id : '', caller: actor },
        run,
      ),
    metrics: config.metricsPort === null ? options.metrics : null,
    metricsToken: config.metricsToken,
    open: [
      { path: '/', routes: listPublicationRoutes({ lists }) },
      ...openAccountRoutes({ accounts, peer }).map((routes) => ({ path: '/api/v1', routes })),
      { path: '/api/v1', routes: webmcpPublicRoutes({ webmcp }) },
      { path: '/api/v1', routes: domainAskRoutes({ domains }) },
      ...openSharingRoutes(shared),
      {
        path: '/',
        routes: eventRoutes({
          endpoint: sessions.endpoint,
          settings: sessions.settings,
          domains,
          script: files.script,
          sender: (incoming) => ({
            ip: peer(incoming).ip,
            host: incoming === undefined ? '' : requestHost(incoming, config.trustProxy),
          }),
        }),
      },
      ...(config.roles.has('webhooks')
        ? [{ path: '/', routes: webhookEndpoint({ webhooks, peer, boundTo: options.gate.boundTo }) }]
        : []),
    ],
    managed: [
      ...managedAccountRoutes({ accounts, peer, database }).map((routes) => ({ path: '/api/v1', routes })),
      { path: '/api/v1', routes: propertyRoutes({ properties, recounting: rooms.reports.recounting }) },
      { path: '/api/v1', routes: keyRoutes({ keys }) },
      { path: '/api/v1', routes: sourceRoutes() },
      {
        path: '/api/v1',
        routes: setupRoutes({
          properties,
          keys,
          signals,
          quarantine,
          arrivals: warehouseArrivals(warehouse),
          onboarding: createOnboarding({ database, warehouse, clock }),
          untrustedProxy: options.untrustedProxy.seen,
          clock,
        }),
      },
      { path: '/api/v1', routes: liveRoutes({ properties, warehouse, hub, clock }) },
      { path: '/api/v1', routes: reportRoutes({ properties, reports: rooms.reports }) },
      { path: '/api/v1', routes: webmcpRoutes({ properties, webmcp, fetches: manifestFetches(warehouse) }) },
      { path: '/api/v1', routes: webhookRoutes({ properties, webhooks, baseUrl, clock }) },
      { path: '/api/v1', routes: forwardingRoutes({ properties, forwarding, clock }) },
      {
        path: '/api/v1',
        routes: searchRoutes({
          ...{ properties, reports: rooms.reports, conversions: webhooks.conversions, forwarding, clock },
        }),
      },
      { path: '/api/v1', routes: alertRoutes({ properties, alerts: rooms.alerts }) },
      { path: '/api/v1', routes: domainRoutes({ properties, domains }) },
      ...sharingRoutes(shared).map((routes) => ({ path: '/api/v1', routes })),
      { path: '/api/v1', routes: sessionsRoutes({ properties, sessions }) },
      {
        path: '/api/v1',
        routes: limitsRoutes({
          properties,
          deletions: rooms.deletions,
          retention: rooms.retention,
          takeouts: rooms.takeouts,
          quotas: rooms.quotas,
        }),
      },
      { path: '/api/v1', routes: listManagementRoutes({ lists, refreshes: config.listsRefresh }) },
      {
        path: '/api/v1',
        routes: operationsRoutes({
          version,
          baseUrl,
          appBaseUrl,
          retentionDays: config.retentionDays,
          spool: spool.stats,
          durability: spool.durability,
          intake: () => intakeOf(rooms.intakeClosure(), config.dataDir),
          spools: () => statsOf(stores),
          waitingEvents: sessions.waiting,
          shipping: rooms.shipping,
          drain: rooms.drain,
          missingRights: async () => await missingRights(warehouse, await warehouse.standing()),
          untrustedProxy: options.untrustedProxy.seen,
          overdueErasures: sessions.erasure.overdue,
          overdueDeletions: rooms.deletions.overdue,
          monthsToRecount: rooms.reports.fileRule.monthsLeft,
          backups: options.backups,
          clock,
        }),
      },
    ],
    serves: options.gate.serves,
    // A reader of a share link has a token of its own kind; any other is for the accounts.
    authenticate: async (request, incoming) =>
      (await sharing.access.callerOf(request, peer(incoming).ip)) ??
      (await accounts.authenticate(request, peer(incoming))),
    onUnknownPath: (request) => void noteUnknownPath(request, keys, signals),
    dashboard: files.dashboard,
  });
}
