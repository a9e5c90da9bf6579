/** Takeouts in the management API: for owners. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  createApi,
  isoOf,
  json,
  narrowing,
  narrowScope,
  problemResponse,
} from '../../common/index.ts';
import type { Takeout, Takeouts } from './takeouts.ts';

export interface TakeoutRoutesDeps {
  readonly takeouts: Takeouts;
}

const takeoutSchema = z
  .object({
    id: z.string(),
    asked_by: z.string(),
    asked_at: z.iso.datetime(),
    state: z.enum(['waiting', 'making', 'ready', 'failed']),
    table: z.string().nullable().openapi({ description: 'The table that is being written' }),
    rows: z.number().int().openapi({ description: 'Written so far' }),
    bytes: z.number().int(),
    finished_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable().openapi({ description: 'When the file is deleted' }),
    error: z.string().nullable(),
  })
  .openapi('Takeout');
const linkSchema = z.object({
  path: z.string().openapi({ description: 'Of this API; works for an owner who is signed in' }),
  expires_at: z.iso.datetime(),
});
const takeoutParam = z.object({
  takeout_id: z
    .string()
    .max(64)
    .openapi({ param: { name: 'takeout_id', in: 'path' } }),
});
const absent = problemResponse('No such takeout');
const tags = ['limits'];
const OWNER = { tags, 'x-need': 'owner' } as const;

export function takeoutRoutes({ takeouts }: TakeoutRoutesDeps): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'post',
      path: '/takeouts',
      summary: 'Make an archive with all data of the organization, in the background',
      request: { query: narrowing },
      responses: { 201: json(takeoutSchema, 'Asked for'), 409: problemResponse('There are too many') },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      return c.json(takeoutView(await takeouts.ask(narrowed, actor)), 201);
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'get',
      path: '/takeouts',
      summary: 'Takeouts of the organization, newest first',
      request: { query: narrowing },
      responses: { 200: json(z.object({ items: z.array(takeoutSchema) })) },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      return c.json({ items: (await takeouts.list(scope)).map(takeoutView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'post',
      path: '/takeouts/{takeout_id}/link',
      summary: 'A link that downloads the archive, for a quarter of an hour',
      request: { params: takeoutParam, query: narrowing },
      responses: { 200: json(linkSchema), 404: absent, 409: problemResponse('Not ready') },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const { takeout_id: id } = c.req.valid('param');
      const { token, until } = await takeouts.link(
        narrowScope(scope, c.req.valid('query').organization),
        actor,
        id,
      );
      const path = `/api/v1/takeouts/${id}/archive?token=${token}`;
      return c.json({ path, expires_at: new Date(until).toISOString() }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'get',
      path: '/takeouts/{takeout_id}/archive',
      summary: 'The archive (tar), by a link',
      request: { params: takeoutParam, query: z.object({ token: z.string().max(100) }) },
      responses: {
        200: { description: 'The archive', content: { 'application/x-tar': { schema: z.string() } } },
        403: problemResponse('The link has ended'),
        404: absent,
        503: problemResponse('Another node has the file'),
      },
    }),
    async (c) => {
      const { scope } = c.get('caller');
      const { name, bytes, body } = await takeouts.open(
        scope,
        c.req.valid('param').takeout_id,
        c.req.valid('query').token,
      );
      const headers = {
        'Content-Type': 'application/x-tar',
        'Content-Length': String(bytes),
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      };
      if (c.req.raw.method === 'HEAD') {
        await body.cancel();
        return c.body(null, 200, headers) as never;
      }
      return c.body(body, 200, headers) as never;
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'delete',
      path: '/takeouts/{takeout_id}',
      summary: 'Delete a takeout with its archive',
      request: { params: takeoutParam, query: narrowing },
      responses: { 204: { description: 'Deleted' }, 404: absent },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      await takeouts.delete(narrowed, actor, c.req.valid('param').takeout_id);
      return c.body(null, 204);
    },
  );
  return api;
}

function takeoutView(row: Takeout): z.input<typeof takeoutSchema> {
  return {
    ...{ id: row.id, asked_by: row.asked_by, asked_at: new Date(row.asked_at).toISOString() },
    ...{ state: row.state, table: row.table, rows: Number(row.rows), bytes: Number(row.bytes) },
    ...{ finished_at: isoOf(row.finished_at), expires_at: isoOf(row.expires_at), error: row.error },
  };
}
