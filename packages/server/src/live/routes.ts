/** Live and the export in the management API; mounted at `/api/v1`. */
import { HIT_CLASSES, VERDICT_REASONS, type VerdictReason } from '@ghostlight/core';
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, createApi, idParam, problemResponse } from '../common/index.ts';
import type { Property } from '../properties/index.ts';
import { SOURCE_NAMES } from '../sources/index.ts';
import { LIVE_LIMIT, type LiveSource, liveHits, liveSummary } from '../warehouse/index.ts';
import { addExports, type ExportDeps } from './export.ts';
import type { LiveFilter } from './filter.ts';
import { arrivalOf } from './hub.ts';
import type { LiveHub } from './index.ts';
import { liveItem } from './item.ts';
import { classes, instant, scopeOf } from './parameters.ts';
import { type ReadLive, readMatching } from './reader.ts';
import { summarySchema, summaryView } from './summary.ts';

export interface LiveRoutesDeps extends ExportDeps {
  readonly hub: LiveHub;
}

const filters = {
  class: classes,
  verified: z.enum(['true', 'false', 'unknown']).optional(),
  bot: z.string().max(128).optional().openapi({ description: 'Bot name, in any letter case' }),
  source: z.enum([...SOURCE_NAMES, 'browser']).optional(),
};
const itemSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    received_at: z.iso.datetime(),
    class: z.enum([...HIT_CLASSES, 'event']),
    bot_name: z.string(),
    vendor: z.string(),
    intent: z.enum(['training', 'search', 'on_demand', 'other', '']),
    verified: z.boolean().nullable(),
    verified_by: z.string(),
    verdict_reason: z
      .enum(['', ...(Object.keys(VERDICT_REASONS) as VerdictReason[])])
      .openapi({ description: 'The reason of the verdict; empty for people, and if not recorded' }),
    ranges_as_of: z
      .string()
      .openapi({ description: 'Date of the address ranges that decided (YYYY-MM-DD); empty otherwise' }),
    method: z.string(),
    host: z.string(),
    path: z.string(),
    status: z.number().int(),
    country: z.string(),
    user_agent: z.string(),
    referrer_engine: z.string(),
    source: z.string(),
    waf_action: z.string().openapi({
      description: 'The firewall’s action on the request, in the platform’s own term; empty: unknown',
    }),
    asn: z.number().int().openapi({ description: 'Number of the visitor’s network; 0: unknown' }),
    signature_agent: z
      .string()
      .openapi({ description: 'Who signed the request, as the collector reports it; empty: no signature' }),
    sample_rate: z.number().openapi({ description: '0: no sample' }),
    list_version: z.number().int().openapi({ description: 'Of the bot list that named the bot; 0: unknown' }),
    event_name: z.string().openapi({ description: 'Event name; empty for hits' }),
    sdk_bot: z.boolean(),
  })
  .openapi('LiveItem');
const timeZone = z
  .string()
  .openapi({ description: 'The property’s, in which the dashboard shows times; here they are in UTC' });

export function liveRoutes({ hub, ...exports }: LiveRoutesDeps): Api {
  const { properties, warehouse } = exports;
  const api = createApi();
  const reader =
    (property: Property): ReadLive =>
    (request, signal) =>
      liveHits(warehouse, scopeOf(property), request, signal);

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/live',
      tags: ['live'],
      summary: 'The last 30 minutes, newest arrival first: in the order of `received_at`, not of `at`',
      request: {
        params: idParam,
        query: z.object({
          limit: z.coerce.number().int().min(1).max(LIVE_LIMIT).default(100),
          after: instant.openapi({
            description: 'Only hits that arrived since then (and, again, in the 10 s before)',
          }),
          ...filters,
        }),
      },
      responses: {
        200: {
          description: 'OK',
          content: {
            'application/json': { schema: z.object({ time_zone: timeZone, items: z.array(itemSchema) }) },
          },
        },
        404: problemResponse('No such property'),
      },
    }),
    async (c) => {
      const property = await properties.get(c.get('caller').scope, c.req.valid('param').id);
      const { limit, after, ...wanted } = c.req.valid('query');
      const found = await readMatching(
        reader(property),
        filterOf(wanted),
        { after, limit },
        c.req.raw.signal,
      );
      return c.json({ time_zone: property.timeZone, items: found.hits.map(liveItem) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/live/summary',
      tags: ['live'],
      summary: 'The visits of the last 30 minutes, counted per class and minute',
      request: { params: idParam, query: z.object(filters) },
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: summarySchema } } },
        404: problemResponse('No such property'),
      },
    }),
    async (c) => {
      const property = await properties.get(c.get('caller').scope, c.req.valid('param').id);
      const filter = filterOf(c.req.valid('query'));
      const summary = await liveSummary(warehouse, scopeOf(property), filter, c.req.raw.signal);
      return c.json(summaryView(summary), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/live/stream',
      tags: ['live'],
      summary: 'Arrivals as server-sent events (`hit`); resumes after Last-Event-ID',
      request: { params: idParam, query: z.object({ after: instant, ...filters }) },
      responses: {
        200: { description: 'Events', content: { 'text/event-stream': { schema: z.string() } } },
        404: problemResponse('No such property'),
        503: problemResponse('Too many streams'),
      },
    }),
    async (c) => {
      const property = await properties.get(c.get('caller').scope, c.req.valid('param').id);
      const { after, ...wanted } = c.req.valid('query');
      const since = arrivalOf(c.req.header('Last-Event-ID')) ?? after ?? null;
      // Hono answers HEAD with this handler and drops the body: nothing would ever end that stream.
      if (c.req.raw.method === 'HEAD') return c.body(null, 200) as never;
      const stream = await hub.subscribe(property.id, reader(property), filterOf(wanted), since);
      return c.body(stream, 200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        // Proxies that collect answers before they pass them on would show nothing live.
        'X-Accel-Buffering': 'no',
      }) as never;
    },
  );

  addExports(api, exports);
  return api;
}

function filterOf(query: {
  class?: LiveFilter['classes'] | undefined;
  verified?: LiveFilter['verified'] | undefined;
  bot?: string | undefined;
  source?: LiveSource | undefined;
}): LiveFilter {
  const { class: wanted, verified, bot, source } = query;
  return {
    ...(wanted === undefined ? {} : { classes: wanted }),
    ...(verified === undefined ? {} : { verified }),
    ...(bot === undefined ? {} : { bot }),
    ...(source === undefined ? {} : { source }),
  };
}
