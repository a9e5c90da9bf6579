/** The bot list for collectors (public), and the state of its sources for the operator. */
import { INTENTS } from '@ghostlight/core';
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, createApi, problemResponse } from '../common/index.ts';
import type { CustomBot, Lists, SourceStatus } from './index.ts';

export interface ListRoutesDeps {
  readonly lists: Lists;
}

const PATH = '/v1/config/ai-bots';

/** `GET /v1/config/ai-bots`; mounted at `/`. Collectors ask every six hours, mostly to hear 304. */
export function listPublicationRoutes({ lists }: ListRoutesDeps): Api {
  const api = createApi();
  const common = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
    'Cache-Control': 'public, max-age=3600',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  };

  api.openapi(
    createRoute({
      method: 'get',
      path: PATH,
      tags: ['lists'],
      security: [],
      summary: 'The lists of AI bots and AI referrers, and the ranges and keys to verify bots',
      request: {
        query: z.object({
          search_engines: z.string().optional().openapi({
            description:
              '`1`: the crawlers of search engines follow the AI bots, for collectors that forward them',
          }),
        }),
      },
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: z.object({}).loose() } } },
        304: { description: 'Not modified' },
      },
    }),
    // Hono answers HEAD with this too, without the body.
    (c) => {
      const isWide = ['1', 'true'].includes(c.req.query('search_engines') ?? '');
      const { body, gzip, etag, gzipEtag } = isWide ? lists.searchPublication() : lists.publication();
      const compressed = acceptsGzip(c.req.header('Accept-Encoding'));
      const headers = { ...common, ETag: compressed ? gzipEtag : etag };
      if (matches(c.req.header('If-None-Match'), [etag, gzipEtag])) return c.body(null, 304, headers);
      const bytes = compressed ? gzip : body;
      return c.body(new Uint8Array(bytes), 200, {
        ...headers,
        'Content-Type': 'application/json',
        'Content-Length': String(bytes.length),
        ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
      }) as never;
    },
  );
  api.options(PATH, (c) =>
    c.body(null, 204, {
      ...common,
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': 'If-None-Match',
      'Access-Control-Max-Age': '86400',
    }),
  );
  return api;
}

interface ListManagementDeps extends ListRoutesDeps {
  /** Whether the service reads the sources by itself, once a day (`LISTS_REFRESH`). */
  readonly refreshes: boolean;
}

/** The state of the lists and a refresh by hand; mounted at `/api/v1`. */
export function listManagementRoutes({ lists, refreshes }: ListManagementDeps): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'get',
      path: '/lists',
      tags: ['lists'],
      summary: 'The bot list’s version, and the state of its sources',
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: listsSchema } } },
      },
    }),
    async (c) => c.json(await view(lists, refreshes), 200),
  );

  api.openapi(
    createRoute({
      'x-need': 'root',
      method: 'post',
      path: '/lists/refresh',
      tags: ['lists'],
      summary: 'Refresh every source now; one that fails keeps its last good copy',
      responses: {
        200: { description: 'Done', content: { 'application/json': { schema: listsSchema } } },
        403: problemResponse('Only for the whole installation'),
      },
    }),
    async (c) => {
      await lists.refresh();
      return c.json(await view(lists, refreshes), 200);
    },
  );
  api.openapi(
    createRoute({
      'x-need': 'operator_admin',
      method: 'get',
      path: '/lists/custom-bots',
      tags: ['lists'],
      summary: 'The installation’s own bots',
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: customListSchema } } },
        403: problemResponse('Only for admins of the installation’s first organization'),
      },
    }),
    async (c) => c.json({ items: (await lists.customBots()).map(customView) }, 200),
  );

  api.openapi(
    createRoute({
      'x-need': 'operator_admin',
      method: 'post',
      path: '/lists/custom-bots',
      tags: ['lists'],
      summary:
        'Add a bot for the whole installation: new visits are classified with it at once, collectors have it with their next list; stored visits stay as they are',
      request: { body: { required: true, content: { 'application/json': { schema: customFieldsSchema } } } },
      responses: {
        201: { description: 'Added', content: { 'application/json': { schema: customBotSchema } } },
        403: problemResponse('Only for admins of the installation’s first organization'),
        422: problemResponse('Not accepted; the sentence says why'),
      },
    }),
    async (c) =>
      c.json(customView(await lists.addCustomBot(c.get('caller').actor, c.req.valid('json'))), 201),
  );

  api.openapi(
    createRoute({
      'x-need': 'operator_admin',
      method: 'delete',
      path: '/lists/custom-bots/{token}',
      tags: ['lists'],
      summary: 'Remove a bot of the installation',
      request: { params: z.object({ token: z.string().max(64) }) },
      responses: {
        204: { description: 'Removed; stored data is kept' },
        403: problemResponse('Only for admins of the installation’s first organization'),
        404: problemResponse('No such bot'),
      },
    }),
    async (c) => {
      await lists.removeCustomBot(c.get('caller').actor, c.req.valid('param').token);
      return c.body(null, 204);
    },
  );
  return api;
}

/** Shown in the dashboard and sent to every collector. */
const word = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'must have no control characters');
const customFieldsSchema = z
  .object({
    token: z
      .string()
      .trim()
      .toLowerCase()
      .max(64)
      .openapi({ description: 'The token to find in user agents' }),
    name: word,
    vendor: word,
    intent: z.enum(INTENTS),
  })
  .openapi('CustomBotFields');
const customBotSchema = z
  .object({
    token: z.string(),
    name: z.string(),
    vendor: z.string(),
    intent: z.enum(INTENTS),
    added_at: z.iso.datetime(),
  })
  .openapi('CustomBot');
const customListSchema = z.object({ items: z.array(customBotSchema) }).openapi('CustomBots');

const customView = ({ token, name, vendor, intent, addedAt }: CustomBot) => ({
  token,
  name,
  vendor,
  intent,
  added_at: new Date(addedAt).toISOString(),
});

const listsSchema = z
  .object({
    version: z.number().int(),
    refreshes: z.boolean().openapi({
      description: 'Every source is read once a day; false: only by hand (`LISTS_REFRESH=off`)',
    }),
    sources: z.array(
      z.object({
        source: z.string(),
        kind: z.enum(['list', 'ranges', 'keys']),
        url: z.string(),
        bots: z.array(z.string()).openapi({
          description: 'The bots that it tells from fakes, by name; empty: it holds the names of all',
        }),
        search_crawlers: z.boolean().openapi({ description: 'Its bots are crawlers of search engines' }),
        entries: z.number().int().openapi({ description: 'Bots, prefixes or keys in use' }),
        skipped: z.number().int(),
        fetched_at: z.string().nullable().openapi({ description: 'null: the copy in the release' }),
        as_of: z
          .string()
          .nullable()
          .openapi({ description: 'Age of the release’s copy, while it is in use' }),
        checked_at: z.string().nullable(),
        error: z.string().nullable(),
      }),
    ),
  })
  .openapi('Lists');

async function view(lists: Lists, refreshes: boolean): Promise<z.infer<typeof listsSchema>> {
  const sources = await lists.status();
  return { version: lists.current().version, refreshes, sources: sources.map(sourceView) };
}

function sourceView({ id, kind, url, bots, searchCrawlers, ...state }: SourceStatus) {
  const { entries, skipped, fetchedAt, asOf, checkedAt, error } = state;
  return {
    source: id,
    kind,
    url,
    bots: [...bots],
    search_crawlers: searchCrawlers,
    entries,
    skipped,
    fetched_at: fetchedAt === null ? null : new Date(fetchedAt).toISOString(),
    as_of: asOf,
    checked_at: checkedAt === 0 ? null : new Date(checkedAt).toISOString(),
    error,
  };
}

/** Weak comparison (RFC 9110 §13.1.2): proxies that compress weaken the tag. */
function matches(header: string | undefined, tags: readonly string[]): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tags.includes(tag.trim().replace(/^W\//, '')));
}

function acceptsGzip(header: string | undefined): boolean {
  return /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[0-9.]+\s*)?(?:,|$)/i.test(header ?? '');
}
