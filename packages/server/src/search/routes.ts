/** The search of a property, for the command palette; mounted at `/api/v1`. */
import { TOPICS } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  type Clock,
  createApi,
  idParam,
  json,
  narrowing,
  problemResponse,
} from '../common/index.ts';
import type { Forwarding } from '../forwarding/index.ts';
import { type Properties, type Property, propertyFinder } from '../properties/index.ts';
import { createFinder, type Reports, SEARCHED_DAYS } from '../reports/index.ts';
import { WarehouseUnavailable } from '../warehouse/index.ts';
import type { Webhooks } from '../webhooks/index.ts';

export interface SearchRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly reports: Pick<Reports, 'plan' | 'warehouse' | 'clock'>;
  readonly conversions: Pick<Webhooks['conversions'], 'list'>;
  readonly forwarding: Pick<Forwarding, 'deliveries' | 'destinations'>;
  readonly clock: Clock;
}

/** Of each kind. */
const LIMIT = 6;
/** Conversions and deliveries further back are found on their pages, with a period. */
const PERIOD_MS = 90 * DAY_MS;
const KINDS = ['visits', 'conversions', 'deliveries', 'destinations'] as const;
type Kind = (typeof KINDS)[number];

const of = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object(shape));
const answerSchema = z
  .object({
    bots: of({ bot: z.string(), vendor: z.string(), intent: z.string(), hits: z.number() }),
    paths: of({ host: z.string(), path: z.string(), hits: z.number() }),
    conversions: of({
      id: z.string(),
      conversion_id: z.string(),
      topic: z.enum(TOPICS),
      value: z.string().nullable(),
      currency: z.string().nullable(),
      at: z.iso.datetime(),
    }),
    deliveries: of({
      id: z.string(),
      conversion_id: z.string(),
      platform: z.string(),
      destination: z.string(),
      status: z.string(),
      at: z.iso.datetime(),
    }),
    destinations: of({ id: z.string(), name: z.string(), platform: z.string() }),
    incomplete: z
      .array(z.enum(KINDS))
      .openapi({ description: 'What could not be searched now, because its store is down or busy' }),
  })
  .openapi('SearchResults');
type Found = z.infer<typeof answerSchema>;

const time = (at: number): string => new Date(at).toISOString();

export function searchRoutes(deps: SearchRoutesDeps): Api {
  const api = createApi();
  const find = propertyFinder(deps.properties);
  const finders = createFinders(deps);

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/search',
      tags: ['properties'],
      summary: 'Bots, paths, orders, deliveries and destinations that a text names; at most 6 of each',
      description: `Bots and paths of the last ${SEARCHED_DAYS} days, orders and deliveries of the last 90. Of an order or a delivery the text is the beginning of the order’s id, or an id in full.`,
      request: {
        params: idParam,
        query: narrowing.extend({
          q: z.string().trim().min(2, 'At least 2 characters.').max(200, 'At most 200 characters.'),
        }),
      },
      responses: {
        200: json(answerSchema),
        404: problemResponse('No such property'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { q } = c.req.valid('query');
      const property = await find(c);
      const { signal } = c.req.raw;
      const found: Found = {
        ...{ bots: [], paths: [], conversions: [], deliveries: [], destinations: [], incomplete: [] },
      };
      await Promise.all(
        KINDS.map(async (kind) => {
          try {
            Object.assign(found, await finders[kind](property, q, signal));
          } catch (error) {
            // A store that is down takes only its own results away.
            signal.throwIfAborted();
            if (!(error instanceof WarehouseUnavailable)) throw error;
            found.incomplete.push(kind);
          }
        }),
      );
      found.incomplete.sort();
      return c.json(found, 200);
    },
  );
  return api;
}

type Finder = (property: Property, q: string, signal: AbortSignal) => Promise<Partial<Found>>;

/** What is searched. Each is asked for one property, which its caller has the right to. */
function createFinders({ reports, conversions, forwarding, clock }: SearchRoutesDeps): Record<Kind, Finder> {
  const findVisited = createFinder(reports);
  const lately = () => ({ from: clock() - PERIOD_MS, to: clock() + 1 });
  const page = { limit: LIMIT, after: undefined };
  return {
    visits: (property, q, signal) => findVisited(property, q, LIMIT, signal),
    async conversions(property, q) {
      const { items } = await conversions.list(property, { ...lately(), q }, page);
      return {
        conversions: items.map(({ id, conversion_id, topic, value, currency, occurred_at }) => ({
          ...{ id, conversion_id, value, currency },
          topic: topic as (typeof TOPICS)[number],
          at: time(occurred_at),
        })),
      };
    },
    async deliveries(property, q) {
      const { items } = await forwarding.deliveries.list(property, { ...lately(), q }, page);
      return {
        deliveries: items.map(({ id, conversion_id, platform, name, state, created_at }) => ({
          ...{ id, conversion_id, platform, destination: name, status: state },
          at: time(created_at),
        })),
      };
    },
    async destinations(property, q) {
      const wanted = q.toLowerCase();
      const rows = (await forwarding.destinations.list(property)).map(({ row }) => row);
      return {
        destinations: rows
          .filter(({ name, platform }) => `${name} ${platform}`.toLowerCase().includes(wanted))
          .slice(0, LIMIT)
          .map(({ id, name, platform }) => ({ id, name, platform })),
      };
    },
  };
}
