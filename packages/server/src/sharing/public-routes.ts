/** What readers of a share link call without being signed in: opening it, and its picture. */
import type { IncomingMessage } from 'node:http';
import { createRoute, z } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { type Api, body, createApi, json, problemResponse, ServiceError } from '../common/index.ts';
import type { Properties } from '../properties/index.ts';
import type { ShareAccess } from './access.ts';
import { type MakePicture, PICTURE_PERIODS } from './pictures.ts';
import { callerFor, SHARED_REPORTS } from './shared.ts';

/** Nothing of it is for search engines. */
const NO_INDEX = { 'X-Robots-Tag': 'noindex, nofollow' };
const MAX_BODY_BYTES = 4 * 1024;

const openedSchema = z
  .object({
    access: z.string().openapi({ description: 'For `Authorization: Bearer`, with the reports named here' }),
    access_expires_at: z.iso.datetime(),
    property: z.object({
      id: z.uuid(),
      name: z.string(),
      domain: z.string(),
      time_zone: z.string(),
    }),
    reports: z.array(z.string()),
    expires_at: z.iso.datetime().nullable(),
  })
  .openapi('OpenedShareLink');

export interface PublicRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly access: ShareAccess;
  readonly picture: MakePicture;
  readonly ipOf: (incoming: IncomingMessage | undefined) => string;
}

const ipIn = (c: { readonly env: unknown }, ipOf: PublicRoutesDeps['ipOf']): string =>
  ipOf((c.env as { incoming?: IncomingMessage } | undefined)?.incoming);

/** Mounted at `/api/v1`. */
export function openRoutes({ properties, access, ipOf }: PublicRoutesDeps): Api {
  const api = createApi();
  api.use(
    '/share/open',
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new ServiceError('body_too_large', `The body may have at most ${MAX_BODY_BYTES} bytes.`, {
          headers: { Connection: 'close' },
        });
      },
    }),
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/share/open',
      tags: ['sharing'],
      security: [],
      summary: 'Open a share link, with its password if it has one',
      request: {
        body: body(
          z.object({
            token: z.string().max(200),
            password: z.string().max(128).optional(),
            access: z.string().max(300).optional().openapi({
              description: 'What it was opened with before, instead of the password',
            }),
          }),
        ),
      },
      responses: {
        200: json(openedSchema),
        401: problemResponse('It needs a password, or this one is wrong'),
        404: problemResponse('It was revoked, has ended, or never was'),
        429: problemResponse('Too many attempts'),
      },
    }),
    async (c) => {
      const { token, ...proof } = c.req.valid('json');
      const { link, access: opened, expiresAt } = await access.open(token, proof, ipIn(c, ipOf));
      const { id, name, domain, timeZone } = await properties.get(callerFor(link).scope, link.propertyId);
      // Not the name of the link: it says whom it is for, to members alone.
      return c.json(
        {
          access: opened,
          access_expires_at: new Date(expiresAt).toISOString(),
          property: { id, name, domain, time_zone: timeZone },
          reports: [...SHARED_REPORTS],
          expires_at: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
        },
        200,
        { 'Cache-Control': 'no-store', ...NO_INDEX },
      );
    },
  );
  return api;
}

const PICTURE_HEADERS = {
  ...NO_INDEX,
  'Content-Type': 'image/svg+xml; charset=utf-8',
  // Opened by itself it is a page: it runs and loads nothing.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=600',
};

/** Mounted at `/`. */
export function pictureRoutes({ access, picture, ipOf }: PublicRoutesDeps): Api {
  const api = createApi();
  api.openapi(
    createRoute({
      method: 'get',
      path: '/share/{token}/chart.svg',
      tags: ['sharing'],
      security: [],
      summary: 'A small chart of AI bot visits as a picture, for other pages; of a link without password',
      request: {
        params: z.object({
          token: z
            .string()
            .max(200)
            .openapi({ param: { name: 'token', in: 'path' } }),
        }),
        query: z.object({
          period: z.enum(PICTURE_PERIODS as [string, ...string[]]).default('last_30_days'),
          theme: z.enum(['light', 'dark']).default('light'),
        }),
      },
      responses: {
        200: { description: 'OK', content: { 'image/svg+xml': { schema: z.string() } } },
        404: problemResponse('The link opens nothing, or has a password'),
        429: problemResponse('Too many requests'),
      },
    }),
    async (c) => {
      const link = await access.openPicture(c.req.valid('param').token, ipIn(c, ipOf));
      const { period, theme } = c.req.valid('query');
      const svg = await picture(link, { period: period as (typeof PICTURE_PERIODS)[number], theme });
      return c.body(svg, 200, PICTURE_HEADERS) as never;
    },
  );
  return api;
}
