/** Alerts in the management API; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, body, createApi, idParam, json, narrowing, problemResponse } from '../common/index.ts';
import { type Properties, propertyFinder } from '../properties/index.ts';
import type { Alerts } from './alerts.ts';
import { channelRoutes } from './channel-routes.ts';
import * as schemas from './schemas.ts';
import { alertPageView, alertView, historyView, rulesView } from './views.ts';

const PATH = '/properties/{id}/alerts';
const tags = ['alerts'];
const absent = problemResponse('No such property');

export interface AlertRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly alerts: Alerts;
}

export function alertRoutes({ properties, alerts }: AlertRoutesDeps): Api {
  const api = createApi();
  const find = propertyFinder(properties);

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary: 'Alerts, newest first, and where their messages went',
      request: { params: idParam, query: schemas.alertQuery },
      responses: { 200: json(schemas.alertPageSchema), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const { organization, ...query } = c.req.valid('query');
      const property = await find(c);
      return c.json(alertPageView(await alerts.list(property, query)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/rules`,
      tags,
      summary: 'The rules, their thresholds, and how often messages repeat',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.rulesSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      return c.json(rulesView(await alerts.settings.read(property)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/rules/history`,
      tags,
      summary: 'The figure of each rule on each of the last 30 days, to choose a threshold by',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.ruleHistorySchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      const history = await alerts.history(property, c.req.raw.signal);
      return c.json(historyView(history, property.timeZone), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'put',
      path: `${PATH}/rules`,
      tags,
      summary: 'Change rules; omitted ones don’t change',
      request: { params: idParam, query: narrowing, body: body(schemas.ruleChangesSchema) },
      responses: {
        200: json(schemas.rulesSchema, 'Changed'),
        404: absent,
        422: problemResponse('Not accepted; every place is named'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      const { repeat_hours: repeatHours, rules } = c.req.valid('json');
      const changed = await alerts.settings.change(property, caller.actor, {
        repeatHours,
        rules: rules?.map(({ muted_until: until, ...rule }) => ({
          ...rule,
          ...(until === undefined ? {} : { mutedUntil: until === null ? null : Date.parse(until) }),
        })),
      });
      return c.json(rulesView(changed), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: `${PATH}/{alert}`,
      tags,
      summary: 'Acknowledge an alert: it is not repeated while it holds; or take that back',
      request: {
        params: idParam.extend({
          alert: z
            .string()
            .max(64)
            .openapi({ param: { name: 'alert', in: 'path' }, description: '`alt_…`' }),
        }),
        query: narrowing,
        body: body(schemas.replySchema),
      },
      responses: {
        200: json(schemas.alertSchema.omit({ sent: true }), 'Changed'),
        404: problemResponse('No such property or alert'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { actor } = c.get('caller');
      const { alert } = c.req.valid('param');
      const property = await find(c);
      const { sent: _, ...changed } = alertView(
        await alerts.reply(property, actor, alert, c.req.valid('json').acknowledged),
      );
      return c.json(changed, 200);
    },
  );

  api.openapi(
    createRoute({
      'x-need': 'root',
      method: 'post',
      path: '/alerts/look',
      tags,
      summary: 'Evaluate every property now, as every five minutes, and send the messages',
      responses: {
        200: json(z.object({ ran: z.boolean().openapi({ description: 'false: another node is doing it' }) })),
      },
    }),
    async (c) => c.json({ ran: await alerts.look() }, 200),
  );

  api.route('/', channelRoutes(alerts, find));
  return api;
}
