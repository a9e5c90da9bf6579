/** Routes about the installation itself: what it is, what waits on its disk, closing it down. */
import { HOUR_MS } from '@ghostlight/core/time';
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, type Clock, createApi, problemResponse } from '../common/index.ts';
import {
  DURABILITIES,
  DURABILITY_SENTENCES,
  type Durability,
  type ShipperState,
  type SpoolCounters,
  type SpoolStats,
} from '../spool/index.ts';
import type { Right } from '../warehouse/index.ts';
import { INTAKE_STATES, type Intake } from './intake.ts';
import { damageSchema, damageView, lostRows, type Spools } from './spool-damage.ts';
import type { UntrustedProxy } from './untrusted-proxy.ts';

export interface Operations {
  readonly version: string;
  readonly baseUrl: () => string;
  readonly appBaseUrl: () => string;
  readonly retentionDays: number;
  readonly spool: () => SpoolStats;
  /** Where a hit is when it is acknowledged. */
  readonly durability: Durability;
  readonly intake: () => Promise<Intake>;
  /** All spools of the node. */
  readonly spools: Spools;
  /** Browser events that wait for the database or the warehouse. */
  readonly waitingEvents: () => number;
  readonly shipping: () => ShipperState;
  /** Of the user of CLICKHOUSE_URL. */
  readonly missingRights: () => Promise<readonly Right[]>;
  readonly untrustedProxy: UntrustedProxy['seen'];
  /** Erasures of visitors that should be over; `since` is the oldest one's, epoch ms. */
  /** Of properties and organizations. */
  readonly overdueDeletions: () => Promise<number>;
  readonly overdueErasures: () => Promise<{ readonly count: number; readonly since: number | null }>;
  /** Months of daily rows that tell files from pages by an older rule and are counted again; null: none. */
  readonly monthsToRecount: () => Promise<number | null>;
  /** Scheduled backups of this node; null: none are. */
  readonly backups: () => {
    readonly everyMs: number;
    readonly lastAt: number | null;
    readonly error: string | null;
  } | null;
  readonly clock: Clock;
  /** Closes intake on this node and ships what waits; true when all of it is stored. */
  readonly drain: (timeoutMs: number) => Promise<boolean>;
}

const configSchema = z
  .object({
    version: z.string(),
    base_url: z.string(),
    app_base_url: z.string(),
    retention_days: z.number().int(),
  })
  .openapi('Installation');

const count = () => z.number().int();
const countsSchema = z
  .object({
    received: count(),
    kept: count(),
    dropped: count(),
    rejected: count(),
    duplicate: count(),
    stored: count(),
    unstorable: count(),
    late_duplicate: count(),
    lost: count(),
  })
  .openapi('SpoolCounts');

const spoolSchema = z
  .object({
    pending_rows: z.number().int().openapi({ description: 'Hits' }),
    pending_events: z.number().int().openapi({ description: 'Browser events' }),
    bytes: z.number().int(),
    max_bytes: z.number().int(),
    oldest_seconds: z.number(),
    last_error: z
      .string()
      .nullable()
      .openapi({ description: 'Why the warehouse did not accept the last batch' }),
    parked_batches: z.number().int().openapi({ description: 'Batches stored in part: a fault to look into' }),
    lost_rows: z.number().int().openapi({
      description: 'Acknowledged rows that damage to the disk has taken, since the data directory was made',
    }),
    damages: z.array(damageSchema).openapi({ description: 'Of the last 30 days, oldest first' }),
    acknowledged_on: z.enum(DURABILITIES).openapi({
      description:
        'Where a hit is when it is acknowledged. node: on the disk of this node; server: on the disk of the PostgreSQL server that the nodes share; standby: a standby of it has confirmed it too; memory: the server’s settings ask for no disk',
    }),
    acknowledged_note: z.string().openapi({ description: 'The same in a sentence' }),
    all_nodes: countsSchema.openapi({
      description:
        'Hits since the beginning, over all nodes that share the spool, also those that are gone; of a spool on a node’s disk, that node’s',
    }),
    drained: z.boolean().optional(),
  })
  .openapi('Spool');

const intakeSchema = z
  .object({
    state: z.enum(INTAKE_STATES),
    reason: z.string().nullable().openapi({ description: 'Why no hits are accepted, and what to do' }),
    path: z.string().openapi({ description: 'The node whose disk holds the spool' }),
    free_bytes: z.number().int().nullable(),
    total_bytes: z.number().int().nullable(),
  })
  .openapi('Intake');

const checksSchema = z
  .object({
    intake: intakeSchema.openapi({ description: 'Whether the answering node takes hits' }),
    missing_rights: z
      .array(
        z.object({
          grant: z.string(),
          needed: z.enum(['always', 'replicated', 'optional']),
          why: z.string(),
        }),
      )
      .nullable()
      .openapi({ description: 'Rights of the user of CLICKHOUSE_URL; null: the warehouse is unreachable' }),
    untrusted_proxy: z
      .object({ count: z.number().int(), last_at: z.iso.datetime() })
      .nullable()
      .openapi({ description: 'Requests with X-Forwarded-For while TRUST_PROXY is empty, since the start' }),
    overdue_deletions: z.number().int().openapi({
      description: 'Deletions of properties and organizations that are not over after an hour',
    }),
    overdue_erasures: z.object({ count: z.number().int(), since: z.iso.datetime() }).nullable().openapi({
      description: 'Overdue erasures of visitors, which are repeated; null: none',
    }),
    months_to_recount: z.number().int().nullable().openapi({
      description:
        'Months of closed days whose totals may still tell files from pages by an older rule; they are counted again in the background. null: none, or the warehouse is down',
    }),
    backups: z
      .object({
        every_hours: z.number(),
        last_at: z.iso.datetime().nullable().openapi({ description: 'The moment that the newest one shows' }),
        overdue: z.boolean().openapi({ description: 'Two of them should have been made since' }),
        error: z.string().nullable().openapi({ description: 'Why the last attempt failed' }),
      })
      .nullable()
      .openapi({ description: 'Scheduled backups of the answering node; null: none are scheduled' }),
  })
  .openapi('InstallationChecks');

const drainSchema = z.object({ timeout_seconds: z.number().int().min(1).max(3_600).default(300) });

export function operationsRoutes(operations: Operations): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'get',
      path: '/config',
      tags: ['installation'],
      summary: 'Settings of this installation for the dashboard',
      responses: { 200: { description: 'OK', content: { 'application/json': { schema: configSchema } } } },
    }),
    (c) =>
      c.json(
        {
          version: operations.version,
          base_url: operations.baseUrl(),
          app_base_url: operations.appBaseUrl(),
          retention_days: operations.retentionDays,
        },
        200,
      ),
  );

  api.openapi(
    createRoute({
      // It counts the rows of all organizations, and its last error may quote one of them.
      'x-need': 'operator',
      method: 'get',
      path: '/spool',
      tags: ['installation'],
      summary: 'The spool of the answering node, for all organizations',
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: spoolSchema } } },
        403: problemResponse('Not of those who run the installation'),
      },
    }),
    (c) => c.json(spoolView(operations), 200),
  );

  api.openapi(
    createRoute({
      'x-need': 'root',
      method: 'get',
      path: '/installation/checks',
      tags: ['installation'],
      summary: 'Checks of the answering node’s environment: rights on the warehouse, proxies',
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: checksSchema } } },
        403: problemResponse('Not the admin token'),
      },
    }),
    async (c) => {
      const missing = await operations.missingRights().catch(() => null);
      const proxy = operations.untrustedProxy();
      const { count, since } = await operations.overdueErasures();
      const months = await operations.monthsToRecount().catch(() => null);
      const { state, reason, path, freeBytes, totalBytes } = await operations.intake();
      return c.json(
        {
          intake: { state, reason, path, free_bytes: freeBytes, total_bytes: totalBytes },
          missing_rights: missing?.map(({ grant, needed, why }) => ({ grant, needed, why })) ?? null,
          untrusted_proxy:
            proxy === null ? null : { count: proxy.count, last_at: new Date(proxy.lastAt).toISOString() },
          overdue_deletions: await operations.overdueDeletions(),
          overdue_erasures: since === null ? null : { count, since: new Date(since).toISOString() },
          months_to_recount: months,
          backups: backupView(operations),
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      'x-need': 'root',
      method: 'post',
      path: '/spool/drain',
      tags: ['installation'],
      summary: 'Close ingest on the answering node and ship its whole spool',
      request: { body: { content: { 'application/json': { schema: drainSchema } } } },
      responses: {
        200: {
          description: 'The remaining amount',
          content: { 'application/json': { schema: spoolSchema } },
        },
        403: problemResponse('Not the admin token'),
      },
    }),
    async (c) => {
      const drained = await operations.drain(c.req.valid('json').timeout_seconds * 1_000);
      return c.json({ ...spoolView(operations), drained }, 200);
    },
  );

  return api;
}

function backupView({ backups, clock }: Operations) {
  const status = backups();
  if (status === null) return null;
  const { everyMs, lastAt, error } = status;
  return {
    every_hours: everyMs / HOUR_MS,
    last_at: lastAt === null ? null : new Date(lastAt).toISOString(),
    overdue: lastAt === null ? error !== null : clock() - lastAt > 2 * everyMs,
    error,
  };
}

function spoolView(operations: Operations) {
  const stats = operations.spool();
  const shipping = operations.shipping();
  return {
    pending_rows: stats.pendingRows,
    pending_events: operations.waitingEvents(),
    bytes: stats.bytes,
    max_bytes: stats.maxBytes,
    oldest_seconds: stats.oldestSeconds,
    last_error: shipping.lastError,
    parked_batches: shipping.parked,
    lost_rows: lostRows(operations.spools),
    damages: damageView(operations.spools),
    acknowledged_on: operations.durability,
    acknowledged_note: DURABILITY_SENTENCES[operations.durability],
    all_nodes: countsView(stats.all),
  };
}

function countsView(counters: SpoolCounters): z.infer<typeof countsSchema> {
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, each) => total + each, 0);
  const deep = (counts: ReadonlyMap<string, ReadonlyMap<string, number>>) =>
    sum([...counts.values()].map((labels) => sum(labels.values())));
  return {
    received: sum(counters.received.values()),
    kept: deep(counters.kept),
    dropped: deep(counters.dropped),
    rejected: deep(counters.rejected),
    duplicate: sum(counters.duplicate.values()),
    stored: counters.stored,
    unstorable: counters.unstorable,
    late_duplicate: counters.lateDuplicate,
    lost: counters.lost,
  };
}
