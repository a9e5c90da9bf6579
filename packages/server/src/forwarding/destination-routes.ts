/** Destinations: connect, list, change, delete, try. */
import { createRoute } from '@hono/zod-openapi';
import { type Api, createApi, problemResponse } from '../common/index.ts';
import type { Owner } from '../properties/index.ts';
import type { ShownDestination } from './destinations.ts';
import type { Forwarding } from './index.ts';
import {
  absent,
  body,
  destinationParam,
  type FindProperty,
  idParam,
  json,
  narrowing,
  PATH,
  refused,
  tags,
} from './route-parts.ts';
import * as schemas from './schemas.ts';
import { destinationView, testSendView } from './views.ts';

type Needed = Pick<Forwarding, 'destinations' | 'health' | 'test'>;

export function destinationRoutes(forwarding: Needed, find: FindProperty): Api {
  const api = createApi();
  const { destinations } = forwarding;
  const views = async (owner: Owner, shown: readonly ShownDestination[]) => {
    const health = await forwarding.health(
      owner,
      shown.map(({ row }) => row.id),
    );
    return shown.flatMap((one) => {
      const of = health.get(one.row.id);
      return of === undefined ? [] : [destinationView(one, of)];
    });
  };
  const view = async (owner: Owner, shown: ShownDestination) => {
    const [one] = await views(owner, [shown]);
    if (one === undefined) throw new Error('health of a destination is missing');
    return one;
  };

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/destinations`,
      tags,
      summary: 'Destinations, oldest first (at most 50)',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(schemas.destinationsSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      return c.json({ items: await views(property, await destinations.list(property)) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/destinations`,
      tags,
      summary: 'Connect a destination; conversions matched from now on are forwarded',
      request: { params: idParam, query: narrowing, body: body(schemas.newDestinationSchema) },
      responses: {
        201: json(schemas.destinationSchema, 'Connected'),
        404: absent,
        409: problemResponse('There are too many'),
        422: refused,
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      const created = await destinations.create(property, caller.actor, c.req.valid('json'));
      return c.json(await view(property, created), 201);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/destinations/{destination_id}`,
      tags,
      summary: 'One destination',
      request: { params: destinationParam, query: narrowing },
      responses: { 200: json(schemas.destinationSchema), 404: absent },
    }),
    async (c) => {
      const { destination_id: destinationId } = c.req.valid('param');
      const property = await find(c);
      return c.json(await view(property, await destinations.get(property, destinationId)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: `${PATH}/destinations/{destination_id}`,
      tags,
      summary:
        'Change, pause or resume a destination, or clear its alarm; new credentials or a new config clear it too',
      request: { params: destinationParam, query: narrowing, body: body(schemas.destinationChangesSchema) },
      responses: {
        200: json(schemas.destinationSchema, 'Changed'),
        404: absent,
        422: refused,
        503: problemResponse('This node can’t open the credentials that would stay'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { destination_id: destinationId } = c.req.valid('param');
      const property = await find(c);
      const { clear_alarm: clearAlarm, ...changes } = c.req.valid('json');
      const changed = await destinations.update(property, caller.actor, destinationId, {
        ...changes,
        clearAlarm,
      });
      return c.json(await view(property, changed), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: `${PATH}/destinations/{destination_id}`,
      tags,
      summary: 'Delete a destination; waiting deliveries are skipped, the history is kept',
      request: { params: destinationParam, query: narrowing },
      responses: { 204: { description: 'Deleted' }, 404: absent },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { destination_id: destinationId } = c.req.valid('param');
      const property = await find(c);
      await destinations.delete(property, caller.actor, destinationId);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/destinations/{destination_id}/test`,
      tags,
      summary: 'Send a sample conversion in the platform’s test mode, and return the result',
      request: { params: destinationParam, query: narrowing, body: body(schemas.testSchema) },
      responses: {
        200: json(schemas.testAnswerSchema),
        404: absent,
        409: problemResponse('Its credentials can’t be opened'),
        422: refused,
        429: problemResponse('Too many tests at once'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { destination_id: destinationId } = c.req.valid('param');
      const property = await find(c);
      const { topic, code = null, live } = c.req.valid('json');
      const trial = await forwarding.test(property, caller.actor, destinationId, { topic, code, live });
      return c.json(testSendView(trial), 200);
    },
  );

  return api;
}
