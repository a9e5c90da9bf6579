/** Channels, where messages go: list, add, change, remove, test. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  type Caller,
  createApi,
  idParam,
  json,
  limitsOf,
  narrowing,
  problemResponse,
  ServiceError,
} from '../common/index.ts';
import type { FindProperty } from '../properties/index.ts';
import type { Alerts } from './alerts.ts';
import * as schemas from './schemas.ts';
import { channelView, listedChannelView } from './views.ts';

const PATH = '/properties/{id}/alerts/channels';
const tags = ['alerts'];
const absent = problemResponse('No such property or channel');
const refused = problemResponse('Not accepted; every place is named');
const channelParam = idParam.extend({
  channel: z
    .string()
    .max(64)
    .openapi({ param: { name: 'channel', in: 'path' }, description: '`ach_…`' }),
});

export function channelRoutes({ channels, hasMail, test }: Alerts, find: FindProperty): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary:
        'The channels of the property, and those of all properties for callers who see all; oldest first',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.channelsSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      const limited = limitsOf(c.get('caller').scope) !== null;
      const items = (await channels.list(property))
        .filter(({ row }) => !limited || row.attribution_id !== null)
        .map(listedChannelView);
      return c.json({ items, email_available: hasMail }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: PATH,
      tags,
      summary: 'Add a channel; a webhook’s signing secret is in this answer and never again',
      request: { params: idParam, query: narrowing, body: body(schemas.newChannelSchema) },
      responses: {
        201: json(schemas.madeChannelSchema, 'Added'),
        403: problemResponse('Access to chosen properties does not include what is for all'),
        404: absent,
        409: problemResponse('There are too many'),
        422: refused,
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      const entered = c.req.valid('json');
      if (entered.everywhere) checkReach(caller);
      const made = await channels.create(property, caller.actor, entered);
      return c.json({ ...channelView(made), secret: made.secret }, 201);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: `${PATH}/{channel}`,
      tags,
      summary: 'Change a channel, turn it off or on, or rotate its signing secret',
      request: { params: channelParam, query: narrowing, body: body(schemas.channelChangesSchema) },
      responses: {
        200: json(schemas.madeChannelSchema, 'Changed'),
        403: problemResponse('Access to chosen properties does not include what is for all'),
        404: absent,
        422: refused,
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { channel } = c.req.valid('param');
      const property = await find(c);
      if ((await channels.get(property, channel)).attribution_id === null) checkReach(caller);
      const { rotate_secret: rotateSecret, ...changes } = c.req.valid('json');
      const changed = await channels.update(property, caller.actor, channel, { ...changes, rotateSecret });
      return c.json({ ...channelView(changed), secret: changed.secret }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: `${PATH}/{channel}`,
      tags,
      summary: 'Remove a channel; waiting messages are discarded',
      request: { params: channelParam, query: narrowing },
      responses: {
        204: { description: 'Removed' },
        403: problemResponse('Access to chosen properties does not include what is for all'),
        404: absent,
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { channel } = c.req.valid('param');
      const property = await find(c);
      if ((await channels.get(property, channel)).attribution_id === null) checkReach(caller);
      await channels.delete(property, caller.actor, channel);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/{channel}/test`,
      tags,
      summary: 'Send a sample alert to the channel now, and return the result',
      request: { params: channelParam, query: narrowing },
      responses: {
        200: json(schemas.trialSchema),
        403: problemResponse('Access to chosen properties does not include what is for all'),
        404: absent,
        429: problemResponse('Too many tests of it within a minute'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { channel } = c.req.valid('param');
      const property = await find(c);
      if ((await channels.get(property, channel)).attribution_id === null) checkReach(caller);
      const { ok, error } = await test(property, caller.actor, channel);
      return c.json({ ok, error }, 200);
    },
  );

  return api;
}

/** Access to chosen properties changes nothing for the others. @throws ServiceError `forbidden` */
function checkReach({ kind, scope }: Caller): void {
  if (limitsOf(scope) === null) return;
  throw new ServiceError(
    'forbidden',
    kind === 'token'
      ? 'This channel is for all properties, but your API token is for chosen ones.'
      : 'This channel is for all properties, and you have access to chosen ones.',
  );
}
