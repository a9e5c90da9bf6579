/** Deliveries: list, look at one, send again; and the accuracy report. */
import { createRoute } from '@hono/zod-openapi';
import {
  type Api,
  type Clock,
  createApi,
  createFileAnswers,
  datesOf,
  daysOf,
  fileContent,
  fileName,
  periodOf,
  periodSchema,
  problemResponse,
} from '../common/index.ts';
import { deliveryFile } from './delivery-file.ts';
import * as schemas from './delivery-schemas.ts';
import type { Forwarding } from './index.ts';
import {
  absent,
  body,
  deliveryParam,
  type FindProperty,
  idParam,
  json,
  narrowing,
  PATH,
  refused,
  tags,
} from './route-parts.ts';
import { accuracyView, deliveryDetailView, deliveryView } from './views.ts';

type Needed = Pick<Forwarding, 'deliveries' | 'replay' | 'accuracy'>;

export function deliveryRoutes(forwarding: Needed, find: FindProperty, clock: Clock): Api {
  const api = createApi();
  const { deliveries, replay } = forwarding;
  const answerFile = createFileAnswers();

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/deliveries`,
      tags,
      summary: 'Deliveries, newest first',
      request: { params: idParam, query: narrowing.extend(schemas.listQuerySchema.shape) },
      responses: {
        200: {
          description: 'OK',
          content: { 'application/json': { schema: schemas.deliveriesSchema }, ...fileContent },
        },
        ...{ 404: absent, 422: refused },
      },
    }),
    async (c) => {
      const { organization, limit, after, from, to, format, ...filter } = c.req.valid('query');
      const property = await find(c);
      const period = periodOf(from, to, clock(), daysOf(property));
      if (format !== 'json')
        return (await answerFile({
          ...{ request: c.req.raw, format, timeZone: property.timeZone },
          name: fileName(property.domain, 'deliveries', datesOf(period, daysOf(property), clock())),
          pieces: (signal) => deliveryFile(deliveries, property, { ...filter, ...period }, format, signal),
        })) as never;
      const page = await deliveries.list(property, { ...filter, ...period }, { limit, after });
      return c.json({ items: page.items.map(deliveryView), next: page.next }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/deliveries/{delivery_id}`,
      tags,
      summary: 'One delivery with its request, the last answer, and what to do about it',
      request: { params: deliveryParam, query: narrowing },
      responses: { 200: json(schemas.deliveryDetailSchema), 404: absent },
    }),
    async (c) => {
      const { delivery_id: deliveryId } = c.req.valid('param');
      const property = await find(c);
      return c.json(deliveryDetailView(await deliveries.get(property, deliveryId), clock()), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/deliveries/{delivery_id}/replay`,
      tags,
      summary:
        'Send a delivery again that is dead, unknown, or was skipped because of settings changed since; or now, if it waits for its next attempt',
      request: {
        params: deliveryParam,
        query: narrowing,
        body: { ...body(schemas.replaySchema), required: false },
      },
      responses: {
        200: json(schemas.deliverySchema, 'It waits for its turn'),
        404: absent,
        409: problemResponse('It can’t be sent again; the sentence says why'),
        422: refused,
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const { delivery_id: deliveryId } = c.req.valid('param');
      const property = await find(c);
      const { confirm_duplicate: confirmDuplicate = false } = c.req.valid('json');
      const delivery = await replay.one(property, caller.actor, deliveryId, { confirmDuplicate });
      return c.json(deliveryView(delivery), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/deliveries/replay`,
      tags,
      summary: 'Send all dead deliveries of a kind again, oldest first; at most 10,000 per call',
      request: { params: idParam, query: narrowing, body: body(schemas.bulkReplaySchema) },
      responses: { 200: json(schemas.bulkReplayAnswerSchema), 404: absent, 422: refused },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      const { status: _dead, from, to, ...filter } = c.req.valid('json');
      const period = periodOf(from, to, clock(), daysOf(property));
      return c.json(await replay.many(property, caller.actor, { ...filter, ...period }), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/reports/forwarding`,
      tags,
      summary: 'The accuracy report: outcomes of deliveries by destination and day',
      request: { params: idParam, query: narrowing.extend(periodSchema.shape) },
      responses: { 200: json(schemas.accuracySchema), 404: absent, 422: refused },
    }),
    async (c) => {
      const { from, to } = c.req.valid('query');
      const property = await find(c);
      const days = daysOf(property);
      const period = periodOf(from, to ?? clock() + 1, clock(), days);
      const accuracy = accuracyView(await forwarding.accuracy(property, period, days));
      return c.json({ ...accuracy, time_zone: property.timeZone }, 200);
    },
  );

  return api;
}
