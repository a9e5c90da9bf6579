/** The sessions part of the management API; mounted at `/api/v1`. What every page may call is in `public-routes.ts`. */

import { isEmail } from '@ghostlight/core';
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  createApi,
  idParam,
  isoOf,
  json,
  narrowing,
  problemResponse,
} from '../common/index.ts';
import { normalizeDomain, type Properties, propertyFinder } from '../properties/index.ts';
import type { Erased } from './erasure.ts';
import type { Sessions } from './index.ts';
import type { ArrivalStatus } from './observations.ts';
import type { EventSettings } from './settings.ts';

export { eventRoutes } from './public-routes.ts';

export interface SessionsRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly sessions: Pick<Sessions, 'settings' | 'status' | 'erasure'>;
}

const MAX_ORIGINS = 50;
const tags = ['events'];
const absent = problemResponse('No such property');

const hostSchema = z
  .string()
  .max(2_048)
  .transform((text, context) => {
    const host = normalizeDomain(text);
    if (host !== null) return host;
    context.addIssue({ code: 'custom', message: 'Enter a host name, for example checkout.example.' });
    return z.NEVER;
  });
const settingsSchema = z
  .object({
    refuse_foreign_origins: z.boolean().openapi({
      description: 'Refuse events from pages outside the domain (403) instead of counting them',
    }),
    allowed_origins: z
      .array(z.string())
      .openapi({ description: 'Hosts other than the property’s domain and its subdomains' }),
  })
  .openapi('EventSettings');
const changesSchema = z
  .object({
    refuse_foreign_origins: z.boolean().optional(),
    allowed_origins: z
      .array(hostSchema)
      .max(MAX_ORIGINS)
      .optional()
      .openapi({ type: 'array', items: { type: 'string' } }),
  })
  .openapi('EventSettingsChanges');
const time = z.iso.datetime().nullable();
const statusSchema = z
  .object({
    first_event_at: time,
    last_event_at: time,
    origins: z
      .array(
        z.object({
          origin: z.string().openapi({ description: 'Host; empty for requests without an origin' }),
          foreign: z.boolean(),
          accepted: z.number().int(),
          refused: z.number().int(),
          last_at: z.iso.datetime(),
        }),
      )
      .openapi({ description: 'The newest 20' }),
    foreign_events: z.number().int(),
  })
  .openapi('EventsStatus');
const erasedSchema = z
  .object({
    erasure_id: z.uuid().openapi({ description: 'Identifies the erasure in the audit log' }),
    visitors: z.number().int().openapi({ description: 'How many of the given ones were known' }),
    sessions: z.number().int(),
    touches: z.number().int(),
    conversions: z.number().int().openapi({ description: 'They are kept, without the visitor' }),
    events: z.number().int().nullable().openapi({
      description: 'null: the warehouse is down; they are erased as soon as it is back',
    }),
    requests: z
      .number()
      .int()
      .openapi({ description: 'A row of Recent Activity, without the received body' }),
    deliveries: z
      .number()
      .int()
      .openapi({ description: 'Without request and answer; unfinished deliveries are not included' }),
    gone_by: z.iso.datetime().nullable().openapi({
      description: 'When no trace is left on the disk; null while the warehouse is down',
    }),
  })
  .openapi('ErasedVisitor');

/** In the body: logs contain addresses. */
const erasureSchema = z.object({
  email: z
    .string()
    .trim()
    .max(320)
    .refine(isEmail, 'Enter an email address such as name@example.com, without spaces.')
    .openapi({ format: 'email' }),
});

export function sessionsRoutes({ properties, sessions }: SessionsRoutesDeps): Api {
  const api = createApi();
  const find = propertyFinder(properties);

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/events/settings',
      tags,
      summary: 'Settings of browser events: allowed origins',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(settingsSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      return c.json(settingsView(await sessions.settings.of(property)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: '/properties/{id}/events/settings',
      tags,
      summary: 'Change the settings of browser events',
      request: { params: idParam, query: narrowing, body: body(changesSchema) },
      responses: { 200: json(settingsSchema), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const { actor } = c.get('caller');
      const property = await find(c);
      const { refuse_foreign_origins: refuse, allowed_origins: allowed } = c.req.valid('json');
      const settings = await sessions.settings.change(property, actor, {
        ...(refuse === undefined ? {} : { refuseForeignOrigins: refuse }),
        ...(allowed === undefined ? {} : { allowedOrigins: [...new Set(allowed)] }),
      });
      return c.json(settingsView(settings), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/events/status',
      tags,
      summary: 'Whether browser events arrive, and from which hosts',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(statusSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      return c.json(statusView(await sessions.status(property)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/properties/{id}/visitors/{visitor_id}',
      tags,
      summary: 'Erase a visitor: sessions, touches, events and personal data, stored or spooled',
      request: {
        params: idParam.extend({
          visitor_id: z
            .string()
            .regex(/^[\w.-]{1,128}$/, 'Enter a visitor id as returned by the SDK’s getVisitorId().')
            .openapi({ param: { name: 'visitor_id', in: 'path' } }),
        }),
        query: narrowing,
      },
      responses: { 200: json(erasedSchema, 'What was erased'), 404: absent },
    }),
    async (c) => {
      const { visitor_id: visitorId } = c.req.valid('param');
      const property = await find(c);
      return c.json(
        erasedView(await sessions.erasure.eraseVisitor(property, c.get('caller').actor, visitorId)),
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/properties/{id}/erasures',
      tags,
      summary:
        'Erase a buyer by email address: the personal data of their conversions, and the visitors behind them',
      request: { params: idParam, query: narrowing, body: body(erasureSchema) },
      responses: {
        200: json(erasedSchema, 'What was erased'),
        404: absent,
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const property = await find(c);
      const { email } = c.req.valid('json');
      return c.json(
        erasedView(await sessions.erasure.eraseByEmail(property, c.get('caller').actor, email)),
        200,
      );
    },
  );
  return api;
}

const erasedView = ({ erasureId, goneBy, ...counts }: Erased) => ({
  erasure_id: erasureId,
  ...counts,
  gone_by: goneBy === null ? null : new Date(goneBy).toISOString(),
});

const settingsView = ({ refuseForeignOrigins, allowedOrigins }: EventSettings) => ({
  refuse_foreign_origins: refuseForeignOrigins,
  allowed_origins: [...allowedOrigins],
});

function statusView({ firstAt, lastAt, origins }: ArrivalStatus): z.infer<typeof statusSchema> {
  return {
    first_event_at: isoOf(firstAt),
    last_event_at: isoOf(lastAt),
    origins: origins.map((entry) => ({
      origin: entry.origin,
      foreign: entry.isForeign,
      accepted: entry.accepted,
      refused: entry.refused,
      last_at: new Date(entry.lastAt).toISOString(),
    })),
    foreign_events: origins.reduce(
      (sum, { isForeign, accepted, refused }) => sum + (isForeign ? accepted + refused : 0),
      0,
    ),
  };
}
