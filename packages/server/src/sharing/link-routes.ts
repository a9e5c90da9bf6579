/** Share links of a property, for those who may change it; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import {
  type Api,
  type ApiEnv,
  body,
  createApi,
  idParam,
  isoOf,
  json,
  nameSchema,
  narrowing,
  narrowScope,
  problemResponse,
} from '../common/index.ts';
import type { Properties } from '../properties/index.ts';
import { hashPassword } from './access.ts';
import type { ShareLinkRow, ShareLinks } from './links.ts';

const PATH = '/properties/{id}/share-links';
const MIN_PASSWORD = 8;

const linkSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string().openapi({ description: 'The first 12 characters of its token' }),
    has_password: z.boolean(),
    state: z.enum(['open', 'ended', 'revoked']),
    created_by: z.string(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable().openapi({ description: 'null: until it is revoked' }),
    last_used_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
  })
  .openapi('ShareLink');
const newSchema = z
  .object({
    name: nameSchema.openapi({ description: 'Whom it is for' }),
    password: z
      .string()
      .min(MIN_PASSWORD, `Enter at least ${MIN_PASSWORD} characters.`)
      .max(128, 'Enter at most 128 characters.')
      .nullish(),
    expires_at: z.iso
      .datetime({ offset: true, error: 'Enter a time such as 2027-01-31T00:00:00Z.' })
      .nullish(),
  })
  .openapi('NewShareLink');
const issuedSchema = linkSchema.extend({
  token: z.string().openapi({ description: 'Part of its address; it is never shown again' }),
  url: z.string().openapi({ description: 'Where it is opened' }),
  chart_url: z.string().nullable().openapi({
    description: 'A chart as an SVG picture for other pages; null: the link has a password',
  }),
});
const linkParam = idParam.extend({
  link: z.guid('Enter the ID of a link, a UUID.').openapi({ param: { name: 'link', in: 'path' } }),
});

export interface LinkRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly links: ShareLinks;
  readonly appBaseUrl: () => string;
  readonly clock: () => number;
}

export function linkRoutes({ properties, links, appBaseUrl, clock }: LinkRoutesDeps): Api {
  const api = createApi();
  const tags = ['sharing'];
  const find = (c: Context<ApiEnv>, id: string, organization: string | undefined) =>
    properties.get(narrowScope(c.get('caller').scope, organization), id);

  api.openapi(
    createRoute({
      ...{ method: 'get', path: PATH, tags, 'x-need': 'admin' },
      summary: 'Public links to the reports of the property, newest first, ended ones included (at most 200)',
      request: { params: idParam, query: narrowing },
      responses: {
        200: json(z.object({ items: z.array(linkSchema) })),
        404: problemResponse('No such property'),
      },
    }),
    async (c) => {
      const property = await find(c, c.req.valid('param').id, c.req.valid('query').organization);
      const rows = await links.list(property);
      return c.json({ items: rows.map((row) => view(row, clock())) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...{ method: 'post', path: PATH, tags },
      summary: 'Create a public, read-only link; only this answer contains it',
      request: { params: idParam, query: narrowing, body: body(newSchema) },
      responses: {
        201: json(issuedSchema, 'Created'),
        404: problemResponse('No such property'),
        409: problemResponse('Too many'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const property = await find(c, c.req.valid('param').id, c.req.valid('query').organization);
      const { name, password, expires_at: expires } = c.req.valid('json');
      const hasPassword = typeof password === 'string';
      const { token, row } = await links.issue(c.get('caller'), property, {
        name,
        passwordHash: hasPassword ? await hashPassword(password) : null,
        expiresAt: typeof expires === 'string' ? Date.parse(expires) : null,
      });
      const base = appBaseUrl();
      return c.json(
        {
          ...view(row, clock()),
          token,
          url: `${base}/s/${token}`,
          chart_url: hasPassword ? null : `${base}/share/${token}/chart.svg`,
        },
        201,
      );
    },
  );

  api.openapi(
    createRoute({
      ...{ method: 'delete', path: `${PATH}/{link}`, tags },
      summary: 'Revoke a link; every node refuses it within 5 seconds',
      request: { params: linkParam, query: narrowing },
      responses: { 204: { description: 'Revoked' }, 404: problemResponse('No such link') },
    }),
    async (c) => {
      const { id, link } = c.req.valid('param');
      const property = await find(c, id, c.req.valid('query').organization);
      await links.revoke(c.get('caller'), property, link);
      return c.body(null, 204);
    },
  );

  return api;
}

function view(row: ShareLinkRow, now: number): z.infer<typeof linkSchema> {
  const isEnded = row.expires_at !== null && row.expires_at <= now;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    has_password: row.password_hash !== null,
    state: row.revoked_at !== null ? 'revoked' : isEnded ? 'ended' : 'open',
    created_by: row.created_by,
    created_at: new Date(row.created_at).toISOString(),
    expires_at: isoOf(row.expires_at),
    last_used_at: isoOf(row.last_used_at),
    revoked_at: isoOf(row.revoked_at),
  };
}
