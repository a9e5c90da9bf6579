/** The setup part of the management API; mounted at `/api/v1`. */
import { HIT_CLASSES } from '@ghostlight/core';
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  type Clock,
  createApi,
  isoOf,
  problemResponse,
  runsInstallation,
  type Scope,
} from '../common/index.ts';
import type { IngestKeys } from '../keys/index.ts';
import type { Properties, Property } from '../properties/index.ts';
import { LIVE_LIMIT, lastArrivals, lastTestAt, liveHits, type Warehouse } from '../warehouse/index.ts';
import {
  diagnose,
  type Observations,
  ONBOARDING_STEPS,
  type Onboarding,
  type Quarantine,
  type SetupSignals,
  type SourceArrival,
} from './index.ts';

export interface SetupRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly keys: Pick<IngestKeys, 'list'>;
  readonly signals: SetupSignals;
  readonly quarantine: Quarantine;
  readonly arrivals: ArrivalReader;
  readonly onboarding: Onboarding;
  readonly untrustedProxy: () => Observations['untrustedProxy'];
  readonly clock: Clock;
}

/** What has arrived for a property. */
export interface ArrivalReader {
  last(property: Property): Promise<readonly SourceArrival[]>;
  /** When a test visit arrived last, epoch milliseconds. */
  lastTest(property: Property): Promise<number | null>;
  /** Hosts of the last 30 minutes' newest hits, by source. */
  hosts(property: Property): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}

export function warehouseArrivals(warehouse: Warehouse): ArrivalReader {
  const scopeOf = ({ id, organizationId }: Property) => ({ organizationId, attributionIds: [id] });
  return {
    last: (property) => lastArrivals(warehouse, scopeOf(property)),
    lastTest: (property) => lastTestAt(warehouse, scopeOf(property)),
    async hosts(property) {
      const newest = { limit: LIVE_LIMIT, classes: HIT_CLASSES.filter((name) => name !== 'test') };
      const { items } = await liveHits(warehouse, scopeOf(property), newest);
      const bySource = Map.groupBy(items, ({ source }) => source as string);
      return new Map([...bySource].map(([source, hits]) => [source, new Set(hits.map(({ host }) => host))]));
    },
  };
}

/** The checker groups these; the page shows fewer. */
const CHECKED_ELEMENTS = 1_000;

const idParam = z.object({
  id: z.guid('Enter the attribution ID, a UUID.').openapi({ param: { name: 'id', in: 'path' } }),
});
const time = z.iso.datetime().nullable();
const setupSchema = z
  .object({
    state: z.enum(['waiting', 'active', 'stale']),
    sources: z.array(
      z.object({
        source: z.string(),
        last_at: time,
        count: z.number().int().openapi({ description: 'Within 24 hours' }),
        host: z.string(),
        class: z.string(),
        bot_name: z.string(),
        worker_version: z.string(),
      }),
    ),
    findings: z.array(
      z.object({
        code: z.string(),
        severity: z.enum(['error', 'warning', 'info']),
        title: z.string(),
        detail: z.string(),
        action: z.string().openapi({ description: 'What to do next' }),
        count: z.number().int(),
        last_at: time,
      }),
    ),
  })
  .openapi('SetupDiagnosis');
const quarantineSchema = z
  .object({
    items: z.array(
      z.object({
        id: z.string(),
        at: z.iso.datetime(),
        endpoint: z.string(),
        attribution_id: z.string().nullable(),
        reason: z.string(),
        field: z.string().nullable(),
        body: z.string().openapi({ description: 'As received, redacted' }),
      }),
    ),
  })
  .openapi('QuarantinedElements');

const onboardingSchema = z
  .object({
    steps: z.array(z.object({ step: z.enum(ONBOARDING_STEPS), done: z.boolean() })).openapi({
      description:
        'In their order: a key was used; a visit arrived; one was verified within 30 days; the SDK saw a visitor; a conversion arrived; an alert channel is on; a second person is a member or invited',
    }),
    dismissed_at: time,
  })
  .openapi('Onboarding');

export function setupRoutes(deps: SetupRoutesDeps): Api {
  const { properties, keys, signals, quarantine, arrivals, clock } = deps;
  const api = createApi();

  const observe = async (scope: Scope, property: Property) => {
    const owner: Scope = { kind: 'organization', id: property.organizationId };
    // What was counted within this second belongs to the answer of a person who just tried something.
    await signals.flush();
    const [last, testAt, hosts, ownKeys, counted, elements] = await Promise.all([
      arrivals.last(property),
      arrivals.lastTest(property),
      arrivals.hosts(property),
      keys.list(owner),
      signals.list(scope, property),
      quarantine.list(scope, property, CHECKED_ELEMENTS),
    ]);
    return {
      now: clock(),
      property,
      arrivals: last,
      testAt,
      hosts,
      keys: ownKeys,
      signals: counted,
      quarantine: elements,
      // Of requests of all organizations; only those who run the installation can fix it.
      untrustedProxy: runsInstallation(scope) ? deps.untrustedProxy() : null,
    };
  };

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/setup',
      tags: ['setup'],
      summary: 'The setup checker: whether hits arrive, and if not, why and what to do',
      request: { params: idParam },
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: setupSchema } } },
        404: problemResponse('No such property'),
      },
    }),
    async (c) => {
      const { scope } = c.get('caller');
      const property = await properties.get(scope, c.req.valid('param').id);
      const { state, sources, findings } = diagnose(await observe(scope, property));
      return c.json(
        {
          state,
          sources: sources.map((source) => ({
            source: source.source,
            last_at: isoOf(source.last_received_at),
            count: source.count_24h,
            host: source.host,
            class: source.class,
            bot_name: source.bot_name,
            worker_version: source.worker_version,
          })),
          findings: findings.map((finding) => ({ ...finding, last_at: isoOf(finding.last_at) })),
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/quarantine',
      tags: ['setup'],
      summary: 'Rejected elements as received, newest first (7 days, at most 1,000 per organization)',
      request: {
        params: idParam,
        query: z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(50) }),
      },
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: quarantineSchema } } },
        404: problemResponse('No such property'),
      },
    }),
    async (c) => {
      const { scope } = c.get('caller');
      const property = await properties.get(scope, c.req.valid('param').id);
      const elements = await quarantine.list(scope, property, c.req.valid('query').limit);
      const items = elements.map(({ id, at, endpoint, attributionId, reason, field, body }) => ({
        id,
        at: new Date(at).toISOString(),
        endpoint,
        attribution_id: attributionId,
        reason,
        field,
        body,
      }));
      return c.json({ items }, 200);
    },
  );
  const onboardingOf = async (property: Property): Promise<z.infer<typeof onboardingSchema>> => {
    const { done, dismissedAt } = await deps.onboarding.state(property);
    return {
      steps: ONBOARDING_STEPS.map((step) => ({ step, done: done.has(step) })),
      dismissed_at: isoOf(dismissedAt),
    };
  };
  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/onboarding',
      tags: ['setup'],
      summary: 'The first steps of a property, and which are done',
      request: { params: idParam },
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: onboardingSchema } } },
        404: problemResponse('No such property'),
      },
    }),
    async (c) =>
      c.json(await onboardingOf(await properties.get(c.get('caller').scope, c.req.valid('param').id)), 200),
  );

  api.openapi(
    createRoute({
      method: 'put',
      path: '/properties/{id}/onboarding',
      tags: ['setup'],
      summary: 'Hide the first steps, or show them again',
      request: {
        params: idParam,
        body: {
          required: true,
          content: { 'application/json': { schema: z.object({ dismissed: z.boolean() }) } },
        },
      },
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: onboardingSchema } } },
        404: problemResponse('No such property'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const property = await properties.get(scope, c.req.valid('param').id);
      await deps.onboarding.dismiss(property, actor, c.req.valid('json').dismissed);
      return c.json(await onboardingOf(property), 200);
    },
  );
  return api;
}
