/** The rooms, each with the stores and the other rooms that it needs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { isbot } from 'isbot';
import type { Accounts } from '../accounts/index.ts';
import { type Alerts, forgetAlerts } from '../alerts/index.ts';
import { type Clock, keptMs, type Log, type Trace } from '../common/index.ts';
import type { Config } from '../config.ts';
import { createBatchClaims } from '../database/index.ts';
import { createDomains, createTxtLookup, type Domains, freeDomains } from '../domains/index.ts';
import { closeDestinations, type Forwarding } from '../forwarding/index.ts';
import { clientAddress, createIdempotency, type Idempotency } from '../http/index.ts';
import { createIngest, type Ingest } from '../ingest/index.ts';
import { inTurn, type Jobs, startJobs } from '../jobs/index.ts';
import { createIngestKeys, type IngestKeys, presentedKey } from '../keys/index.ts';
import {
  createQuotas,
  createRetention,
  type Deletions,
  type Quotas,
  type Retention,
  type Takeouts,
} from '../limits/index.ts';
import { createLists, type Lists } from '../lists/index.ts';
import { createLiveHub, type LiveHub } from '../live/index.ts';
import { createDownload } from '../outbound/index.ts';
import { createProperties, type Properties } from '../properties/index.ts';
import { createReports, engineOf, type Reports } from '../reports/index.ts';
import { createMatching, type Sessions } from '../sessions/index.ts';
import { createQuarantine, createSetupSignals, type Quarantine, type SetupSignals } from '../setup/index.ts';
import { endWithRights, type Sharing } from '../sharing/index.ts';
import type { BatchSink, Closure, ShipperState } from '../spool/index.ts';
import { hitSink, toRow } from '../warehouse/index.ts';
import { closeWebhooks, createWebhooks, type Webhooks } from '../webhooks/index.ts';
import { createWebmcp, forgetManifest, type Webmcp } from '../webmcp/index.ts';
import { openAlerts } from './alerts.ts';
import { openSessions } from './events.ts';
import { openForwarding } from './forwarding.ts';
import { openLimits, retentionOf, withoutDeleted } from './limits.ts';
import { listRefreshJobs } from './list-refresh.ts';
import { openAccounts } from './people.ts';
import { openSharing } from './sharing.ts';
import type { Stores } from './stores.ts';
import type { Teardown } from './teardown.ts';

/**
 * An upload needs some megabytes. By V8's own limit a thread lets garbage gather: 92 MB of heap after an upload of 1 GiB, by this one 58 MB. An
 * array needs up to 50 MB, and few are read at once (`arraysRead`). A thread that needs more ends: its uploads are answered 503, its arrays read again.
 */
const WORKER_MEMORY = { maxOldGenerationSizeMb: 512 };

export interface Rooms {
  readonly accounts: Accounts;
  readonly properties: Properties;
  readonly keys: IngestKeys;
  readonly lists: Lists;
  readonly signals: SetupSignals;
  readonly quarantine: Quarantine;
  readonly hub: LiveHub;
  readonly webmcp: Webmcp;
  readonly webhooks: Webhooks;
  readonly reports: Reports;
  readonly forwarding: Forwarding;
  readonly alerts: Alerts;
  readonly sharing: Sharing;
  readonly domains: Domains;
  readonly sessions: Sessions;
  readonly deletions: Deletions;
  readonly retention: Retention;
  readonly takeouts: Takeouts;
  readonly quotas: Quotas;
  readonly ingest: Ingest;
  readonly jobs: Jobs;
  readonly idempotency: Idempotency;
  /** Why this node takes no hits; null: it does. */
  intakeClosure(): Closure | 'drained' | null;
  /** How the shipping to the warehouse goes. */
  shipping(): ShipperState;
  /** Nothing leaves the spools from then on. @returns goes on @throws when a batch is still under way after that time */
  pauseShipping(timeoutMs: number): Promise<() => void>;
  /** Closes ingest on this node permanently and ships what waits; true when all of it is stored. */
  drain(timeoutMs: number): Promise<boolean>;
}

/** Under load a part is made about once a second, and Live is a second behind: a row of a part four times as large costs the engine half as much. */
const LOADED_GATHER_MS = 900;
/** Of the embedded engine. A server may have a proxy before it that takes no more than the 4 MiB that batches have otherwise. */
const EMBEDDED_BATCH_BYTES = 8 * 1024 * 1024;
/** How long the shipper may take at the stop, before the rest waits in the spool; milliseconds. */
const DRAIN_AT_STOP_MS = 6_000;
/** How long jobs under way may take to notice it. */
const JOBS_AT_STOP_MS = 3_000;
/** How long an insert under way may take after that. */
const INSERT_AT_STOP_MS = 2_000;
/** A claim is held from an upload's last byte to its commit: seconds. A node that never returns holds it no longer than this. */
const CLAIM_LEASE_MS = 2 * MINUTE_MS;

export interface RoomsOptions {
  readonly nodeId: string;
  readonly adminToken: string;
  /** {base_url}, {app_base_url}; asked only after the start, when the port is known. */
  readonly baseUrl: () => string;
  readonly appBaseUrl: () => string;
  readonly clock: Clock;
  readonly log: Log;
  readonly trace: Trace;
  readonly teardown: Teardown;
  /** False for a command that opens the stores beside no service: it does its one thing and goes. */
  readonly runJobs: boolean;
}

export async function openRooms(
  config: Config,
  stores: Stores,
  { nodeId, adminToken, baseUrl, appBaseUrl, clock, log, trace, teardown, runJobs }: RoomsOptions,
): Promise<Rooms> {
  const { database, cipher, warehouse, spool } = stores;
  const { deletions, lateRows, outlivedRows, takeouts } = openLimits(config, stores, { nodeId, clock, log });
  teardown.add('takeouts', () => takeouts.close());
  /** Keys of what was deleted are unknown at once on this node, and within seconds on the others; the job begins without waiting for its minute. */
  const onDeleted = (): void => {
    keys.forgetAll();
    webhooks.keys.forgetAll();
    properties.forgetAll();
    if (doesJobs)
      void jobs
        .runNow('delete-everything')
        .catch((error: unknown) =>
          log.warn({ err: error }, 'a deletion is begun by the next run of its job'),
        );
  };
  const accounts = openAccounts(config, stores, {
    ...{ adminToken, appBaseUrl, clock, log },
    organizationHooks: {
      async onDelete(trx, { id, name }, actor, found) {
        await keys.revokeAll(trx, { organizationId: id, attributionId: null });
        await properties.closeAll(trx, id, actor);
        await deletions.record(trx, { organizationId: id, attributionId: null, name, actor, found });
      },
      onStanding: (trx, who, standing, actor) => endWithRights(trx, who, standing, { actor, at: clock() }),
      onDeleted,
    },
  });
  teardown.add('accounts', () => accounts.close());
  const properties = createProperties(database, {
    clock,
    async onDelete(trx, property) {
      await keys.revokeAll(trx, { organizationId: property.organizationId, attributionId: property.id });
      await forgetManifest(trx, property);
      await closeWebhooks(trx, property, clock());
      await closeDestinations(trx, property, clock());
      await forgetAlerts(trx, property);
      await freeDomains(trx, property);
    },
    async onDeleteAlone(trx, { id, organizationId, name }, actor) {
      await takeouts.forget(trx, organizationId);
      await deletions.record(trx, { organizationId, attributionId: id, name, actor });
    },
    onDeleted,
  });
  const idempotency = createIdempotency(database, { cipher, clock });
  const keys = createIngestKeys(database, { cipher, clock, log: log.child({ room: 'keys' }) });
  teardown.add('keys', () => keys.close());
  const retention = createRetention({
    ...{ database, warehouse, properties, limits: retentionOf(config), clock },
    auditDays: config.auditRetentionDays,
    log: log.child({ room: 'limits' }),
  });
  const quotas = createQuotas({
    ...{ database, warehouse, clock },
    defaults: { property: config.quotaHits, organization: config.quotaHitsOfOrganization },
    log: log.child({ room: 'limits' }),
  });
  const download = createDownload({ hosts: config.destinationHosts });
  const lists = createLists({
    database,
    download,
    clock,
    log: log.child({ room: 'lists' }),
    published: config.publishedList,
    ...(config.listsReadToday === true ? { readAt: clock() } : {}),
  });
  teardown.add('lists', () => lists.close());
  await lists.start();
  const signals = createSetupSignals({ database, clock, log: log.child({ room: 'setup' }) });
  teardown.add('signals', () => signals.close());
  const quarantine = createQuarantine({ database, source: spool, clock, log: log.child({ room: 'setup' }) });
  teardown.add('quarantine', () => quarantine.close());

  // A restarted node is the same one to the claims: what its spool had on disk is taken, what a kill cut off is free at once.
  const claims = createBatchClaims(database, { node: nodeId, clock, leaseMs: CLAIM_LEASE_MS });
  await claims.completeFrom(
    (await spool.recordedUploads()).map(({ scope, hex }) => ({ scope, digest: hex })),
  );

  const webmcp = createWebmcp({
    database,
    cipher,
    download,
    lookup: createTxtLookup(),
    appBaseUrl,
    clock,
    log: log.child({ room: 'webmcp' }),
  });
  const matching = createMatching(cipher);
  const forwarding = openForwarding(config, stores, { visits: matching }, { nodeId, clock, log, trace });
  teardown.add('forwarding', () => forwarding.close());
  const webhooks = createWebhooks({
    database,
    cipher,
    matching,
    onConversion: forwarding.onConversion,
    onStored: forwarding.nudge,
    erase: (property, actor, whose) => sessions.erasure.erase(property, actor, whose),
    engineOf: (source) => engineOf(source, lists.current().referrers),
    retention: retention.limits,
    rotating: config.secretKeyPrevious !== null,
    clock,
    log: log.child({ room: 'webhooks' }),
  });
  teardown.add('webhooks', () => webhooks.close());
  const reports = createReports({
    database,
    warehouse,
    download,
    attribution: webhooks.report,
    manifest: (property) => webmcp.published(property),
    referrers: () => lists.current().referrers,
    botLists: lists.inUse,
    retentionDays: config.retentionDays,
    retention: retention.limits,
    clock,
    log: log.child({ room: 'reports' }),
  });
  teardown.add('reports', () => reports.close());
  const sharing = openSharing(config, stores, { properties, reports, adminToken, appBaseUrl, clock, log });
  teardown.add('sharing', () => sharing.close());
  const alerts = openAlerts(config, stores, forwarding, { appBaseUrl, clock, log });
  const domains = createDomains({
    database,
    lookup: createTxtLookup(),
    ownHosts: () => ownHosts(baseUrl(), appBaseUrl()),
    clock,
    log: log.child({ room: 'domains' }),
  });
  teardown.add('domains', () => domains.close());
  await domains.start();

  const shipper = spool.startShipper(
    tracedSink(
      withoutDeleted(hitSink(warehouse, { shared: config.clickhouseUrl !== null }), {
        lateRows,
        outlivedRows,
      }),
      trace,
    ),
    {
      loadedGatherMs: LOADED_GATHER_MS,
      ...(config.clickhouseUrl === null ? { batchBytes: EMBEDDED_BATCH_BYTES } : {}),
    },
  );
  teardown.add('shipper', async () => {
    const shipped = await shipper.drain(DRAIN_AT_STOP_MS);
    const stopped = shipper.stop();
    if (!shipped) {
      // An insert that hangs would hold the stop up for a minute. Without its connection it fails, and the next start asks what became of it.
      await Promise.race([stopped, sleep(INSERT_AT_STOP_MS, undefined, { ref: false })]);
      await warehouse.close();
    }
    await stopped;
  });
  const sessions = openSessions(
    config,
    stores,
    {
      properties,
      lists,
      domains,
      onVisitors: webhooks.onVisitors,
      onBrowserConversion: webhooks.linkBrowserEvent,
      async onErase(trx, property, whose) {
        // First: by their conversions the deliveries of a visitor are found.
        const deliveries = await forwarding.eraseVisitor(trx, property, whose);
        return { deliveries, ...(await webhooks.eraseVisitor(trx, property, whose)) };
      },
      findByEmail: webhooks.findByEmail,
      lateRows,
      outlivedRows,
    },
    { clock, log },
  );
  teardown.add('sessions', () => sessions.close());
  let draining = false;
  const accepting = () => !draining && spool.accepting();
  const intakeClosure = () => (draining ? 'drained' : spool.closure());

  const doesJobs = runJobs && config.roles.has('jobs');
  const jobs = startJobs(
    [
      {
        name: 'rollup',
        schedule: '0 3 * * *',
        run: async (signal) => void (await reports.rollup.run(undefined, signal)),
      },
      { name: 'recount-days', schedule: '* * * * *', run: reports.recounting.run },
      { name: 'recount-files', schedule: '*/5 * * * *', run: reports.fileRule.run },
      { name: 'complete-days', schedule: '2-57/5 * * * *', run: reports.completeDays.run },
      { name: 'refresh-sitemaps', schedule: '37 1 * * *', run: reports.sitemaps.refreshAll },
      ...listRefreshJobs(config, lists),
      { name: 'forget-visits', schedule: '51 * * * *', run: sessions.forgetOld },
      { name: 'sweep-erased', schedule: '* * * * *', run: sessions.erasure.sweep },
      { name: 'delete-everything', schedule: '* * * * *', run: deletions.run },
      { name: 'count-quotas', schedule: '* * * * *', run: quotas.run },
      { name: 'delete-outlived', schedule: '23 * * * *', run: retention.run },
      { name: 'recheck-domains', schedule: '29 4 * * *', run: domains.recheck },
      { name: 'match-late', schedule: '* * * * *', run: webhooks.sweep },
      {
        name: 'look-for-alerts',
        schedule: '*/5 * * * *',
        run: async (signal) => void (await alerts.look(signal)),
      },
      {
        name: 'send-alerts',
        schedule: '* * * * *',
        run: async (signal) => void (await alerts.dispatch(signal)),
      },
      {
        name: 'send-report-mails',
        schedule: '*/5 * * * *',
        run: async (signal) => void (await sharing.mails.sendDue(signal)),
      },
      { name: 'sign-manifests', schedule: '7 * * * *', run: webmcp.upkeep },
      {
        name: 'forget-old',
        schedule: '41 * * * *',
        run: inTurn([
          () => signals.expire(),
          () => quarantine.expire(),
          () => claims.expire(),
          () => idempotency.expire(),
          forwarding.forgetOld,
          alerts.forgetOld,
          webhooks.forgetOld,
          accounts.upkeep,
          keys.rotateSecrets,
        ]),
      },
    ],
    {
      withLock: (name, run) => database.withLock(name, run),
      log: log.child({ room: 'jobs' }),
      enabled: doesJobs,
      trace,
    },
  );
  teardown.add('jobs', () => jobs.stop(JOBS_AT_STOP_MS));
  if (doesJobs) forwarding.start();
  if (runJobs) takeouts.start();

  const ingest = createIngest({
    limits: { retentionMs: config.retentionDays * DAY_MS },
    keys: {
      ...{ presentedKey, peek: keys.peek, verify: keys.verify, everySetting: keys.everySetting },
      ...{ signers: keys.signers, noteUse: keys.noteUse },
    },
    properties: {
      ownerOf: properties.ownerOf,
      domainsOf(attributionId) {
        const domain = properties.domainOf(attributionId);
        const tracking = domains.domainsOf(attributionId);
        return domain === null ? tracking : [domain, ...tracking];
      },
      tellsSearchEngines: properties.tellsSearchEngines,
      limitsOf(attributionId) {
        const rules = properties.retentionOf(attributionId);
        let kept: ReturnType<typeof keptMs> | undefined;
        return {
          // Only what is old is asked for its age. Of the rules as they are now: they hold to the request's end.
          get keptMs() {
            kept ??= keptMs(retention.limits, rules);
            return kept;
          },
          quota: properties.quotaOf(attributionId),
        };
      },
    },
    lists,
    spool: { accepting, append: spool.append, openUpload: spool.openUpload },
    claims,
    signals,
    addressOf: (request) => clientAddress(request, config.trustProxy).ip,
    isBot: isbot,
    toRow,
    clock,
    log: log.child({ room: 'ingest' }),
    threads: {
      start: () =>
        new Worker(new URL('./upload-worker.ts', import.meta.url), { resourceLimits: WORKER_MEMORY }),
      most: config.uploadWorkers,
    },
  });
  teardown.add('upload threads', ingest.close);
  return {
    accounts,
    idempotency,
    properties,
    keys,
    lists,
    signals,
    quarantine,
    webmcp,
    webhooks,
    reports,
    forwarding,
    alerts,
    sharing,
    domains,
    sessions,
    deletions,
    retention,
    takeouts,
    quotas,
    hub: createLiveHub({ clock, log: log.child({ room: 'live' }) }),
    ingest,
    jobs,
    intakeClosure,
    shipping: shipper.state,
    pauseShipping: (timeoutMs) => pauseAll([sessions.pauseShipping, shipper.pause], timeoutMs),
    async drain(timeoutMs) {
      draining = true;
      const [hits, events] = await Promise.all([shipper.drain(timeoutMs), sessions.drain(timeoutMs)]);
      return hits && events;
    },
  };
}

type Pause = (timeoutMs: number) => Promise<() => void>;

/** All of them or none. */
async function pauseAll(pauses: readonly Pause[], timeoutMs: number): Promise<() => void> {
  const paused = await Promise.allSettled(pauses.map((pause) => pause(timeoutMs)));
  const resume = () => {
    for (const each of paused) if (each.status === 'fulfilled') each.value();
  };
  const failed = paused.find(({ status }) => status === 'rejected');
  if (failed === undefined) return resume;
  resume();
  throw (failed as PromiseRejectedResult).reason;
}

/** A batch on its way is a trace of its own: the hits in it came with many requests. */
function tracedSink(sink: BatchSink, trace: Trace): BatchSink {
  return {
    ...sink,
    insert: (batch) =>
      trace({ name: 'ship hits', kind: 'internal', attributes: { 'ghostlight.rows': batch.rows } }, () =>
        sink.insert(batch),
      ),
  };
}

/** Where this service is reached itself: no name that a property can claim. */
function ownHosts(...addresses: readonly string[]): string[] {
  return ['localhost', '127.0.0.1', '[::1]', ...addresses.map((address) => new URL(address).hostname)];
}
