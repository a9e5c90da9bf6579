/** Which sitemap a property has, and reading it again. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, body, createApi, idParam, json, narrowing, problemResponse } from '../common/index.ts';
import type { FindProperty } from '../properties/index.ts';
import type { Reports } from './reports.ts';

const PATH = '/properties/{id}/reports/sitemap';
const tags = ['reports'];
const absent = problemResponse('No such property');

export const sitemapSchema = z
  .object({
    state: z.enum(['none', 'waiting', 'ok', 'failed']).openapi({ description: 'waiting: it is being read' }),
    url: z.string().nullable().openapi({ description: 'Where the last good reading began' }),
    configured_url: z.string().nullable(),
    pages: z.number().int().openapi({ description: 'Pages in it' }),
    truncated: z
      .boolean()
      .openapi({ description: 'The sitemap has more pages than are kept, or a part could not be read' }),
    skipped: z.number().int().openapi({ description: 'Addresses of other sites' }),
    fetched_at: z.iso.datetime().nullable().openapi({ description: 'When it was read' }),
    tried_at: z.iso.datetime().nullable(),
    error: z.string().nullable().openapi({ description: 'Error code of the last failed reading' }),
  })
  .openapi('Sitemap');

export function sitemapRoutes({ sitemaps }: Pick<Reports, 'sitemaps'>, find: FindProperty): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary: 'The state of the sitemap',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(sitemapSchema), 404: absent },
    }),
    async (c) => {
      const property = await find(c);
      return c.json(await sitemaps.state(property), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'put',
      path: PATH,
      tags,
      summary: 'Set the sitemap’s URL; null: robots.txt, then /sitemap.xml',
      request: {
        params: idParam,
        query: narrowing,
        body: body(z.object({ url: z.url('Enter an https URL.').max(2_048).nullable() })),
      },
      responses: { 200: json(sitemapSchema), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      return c.json(await sitemaps.configure(property, caller.actor, c.req.valid('json').url), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: `${PATH}/refresh`,
      tags,
      summary: 'Start reading the sitemap again; answers before it is finished',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(sitemapSchema), 404: absent, 429: problemResponse('Read a moment ago') },
    }),
    async (c) => {
      const caller = c.get('caller');
      const property = await find(c);
      return c.json(await sitemaps.refresh(property, caller.actor), 200);
    },
  );

  return api;
}
