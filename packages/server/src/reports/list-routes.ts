/** Reports that are lists: a page as JSON with what stands around it, or the whole of it as a file. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, createApi, idParam, problemResponse } from '../kit/index.ts';
import {
  botDays,
  botTotals,
  countUnread,
  dateOf,
  exportUnread,
  failureDays,
  failureStatuses,
  failureTotals,
  referralDays,
  referralTotals,
  trustTotals,
  type UnreadPage,
  unreadPages,
} from '../warehouse/index.ts';
import type { Asking } from './asking.ts';
import {
  BOT_SORTS,
  botItemSchema,
  botListing,
  botSeries,
  botSeriesSchema,
  botSummary,
  botTotalsSchema,
  botTotalsView,
  byIntentSchema,
  byIntentView,
} from './bots.ts';
import { envelope, envelopeSchema } from './context.ts';
import { dayAt } from './days.ts';
import {
  FAILURE_GROUPS,
  FAILURE_KINDS,
  FAILURE_SORTS,
  failureItemSchema,
  failureListing,
  failureSeries,
  failureSeriesSchema,
  failureTotalsSchema,
  failureTotalsView,
  fixFirst,
  fixFirstSchema,
  statusSchema,
} from './failures.ts';
import { fileOf, listed, listShape, pageShape, written } from './listing.ts';
import { roundedAll } from './numbers.ts';
import {
  botPageItemSchema,
  botPageListing,
  folderItemSchema,
  folderListing,
  PAGE_GROUPS,
  PAGE_SORTS,
  pageItemSchema,
  pageListing,
  pageTotalsSchema,
  pageTotalsView,
} from './pages.ts';
import { reportQuery } from './query.ts';
import {
  REFERRAL_SORTS,
  referralItemSchema,
  referralListing,
  referralSeries,
  referralSeriesSchema,
  referralTotalsSchema,
  referralTotalsView,
} from './referrals.ts';
import type { Reports } from './reports.ts';
import { sitemapSchema } from './sitemap-routes.ts';
import {
  SOURCE_SORTS,
  sourceItemSchema,
  sourceListing,
  TRUST_SORTS,
  trustItemSchema,
  trustListing,
  trustSeries,
  trustSeriesSchema,
  trustTotalsSchema,
  trustTotalsView,
} from './trust.ts';

const PATH = '/properties/{id}/reports';
const tags = ['reports'];

/** An answer as JSON, or the whole list as a file. */
const responses = <T extends z.ZodType, S extends z.ZodRawShape>(items: T, around: S, name: string) => ({
  200: {
    description: 'OK',
    content: {
      'application/json': {
        schema: envelopeSchema.extend({ ...pageShape, items: z.array(items), ...around }).openapi(name),
      },
      'text/csv': { schema: z.string() },
      'application/x-ndjson': { schema: z.string() },
    },
  },
  404: problemResponse('No such property'),
  422: problemResponse('Not accepted'),
  503: problemResponse('The warehouse is away or busy'),
});

const sorted = <const T extends readonly [string, ...string[]]>(sorts: T) => ({
  sort: z.enum(sorts).default(sorts[0]),
  ...listShape,
});

export function listRoutes(reports: Reports, { ask, history, file }: Asking): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/bots`,
      tags,
      summary: 'Which AI bots came, how often and for what',
      request: {
        params: idParam,
        query: reportQuery.extend({ group: z.enum(['bot', 'vendor']).default('bot'), ...sorted(BOT_SORTS) }),
      },
      responses: responses(
        botItemSchema,
        { totals: botTotalsSchema, by_intent: byIntentSchema, series: botSeriesSchema },
        'BotReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format } = query;
      if (format !== 'json') {
        const { hits } = await botTotals(asked.warehouse, asked, asked.signal);
        const listing = botListing(asked, query.group, hits);
        return (await file('bots', format, (of) => fileOf(of, listing, format), asked)) as never;
      }
      const { totals, days } = await botSummary(asked);
      const page = await listed(asked, botListing(asked, query.group, totals.hits), query);
      return c.json(
        {
          ...envelope(asked),
          ...page,
          totals: botTotalsView(asked, totals),
          by_intent: byIntentView(asked, days),
          series: botSeries(asked, days),
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/pages`,
      tags,
      summary: 'What AI bots read: by page, by folder, or by bot and page',
      request: {
        params: idParam,
        query: reportQuery.extend({
          group: z.enum(PAGE_GROUPS).default('page'),
          prefix: z
            .string()
            .max(4096)
            .regex(/^\/(?:.*\/)?$/, 'A folder begins and ends with a slash.')
            .default('/')
            .openapi({ description: 'Of `group=folder`: whose children are listed' }),
          ...sorted(PAGE_SORTS),
        }),
      },
      responses: responses(
        z.union([pageItemSchema, botPageItemSchema, folderItemSchema]),
        { totals: pageTotalsSchema },
        'PageReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format, group, prefix } = query;
      // Only folders have a number of pages to sort by.
      const sort = query.sort === 'pages' && group !== 'folder' ? 'hits' : query.sort;
      const folders = folderListing(prefix);
      if (format !== 'json') {
        const pieces = (of: typeof asked) =>
          group === 'page'
            ? fileOf(of, pageListing, format)
            : group === 'folder'
              ? fileOf(of, folders, format)
              : fileOf(of, botPageListing, format);
        return (await file('pages', format, pieces, asked)) as never;
      }
      const list = { ...query, sort };
      const [page, totals] = await Promise.all([
        group === 'page'
          ? listed(asked, pageListing, list)
          : group === 'folder'
            ? listed(asked, folders, list)
            : listed(asked, botPageListing, list),
        botTotals(asked.warehouse, asked, asked.signal),
      ]);
      return c.json({ ...envelope(asked), ...page, totals: pageTotalsView(asked, totals) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/pages/unread`,
      tags,
      summary: 'Pages of the sitemap that no AI bot read in the period',
      request: {
        params: idParam,
        query: reportQuery.extend({ ...listShape, sort: z.enum(['path']).default('path') }),
      },
      responses: responses(
        unreadItemSchema,
        { sitemap: sitemapSchema, pages: z.number().int(), read: z.number().int() },
        'UnreadPages',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked, property } = await ask(
        c.get('caller'),
        c.req.valid('param').id,
        query,
        c.req.raw.signal,
      );
      const { format, limit, page_number } = query;
      const { warehouse, signal } = asked;
      // Before its version: a reading that ends in between is then still waited for, not said to be done with no pages.
      const sitemap = await reports.sitemaps.state(property);
      const version = (await reports.sitemaps.version(property)) ?? 0;
      const before = await history(asked, property);
      if (format !== 'json') {
        const pieces = (of: typeof asked) =>
          written(
            unreadItems(exportUnread(warehouse, of, before, version, of.signal)),
            UNREAD_COLUMNS,
            format,
          );
        return (await file('unread-pages', format, pieces, asked)) as never;
      }
      const slice = { order: query.order, limit, offset: (page_number - 1) * limit };
      const [counted, items] = await Promise.all([
        countUnread(warehouse, asked, version, signal),
        unreadPages(warehouse, asked, before, version, slice, signal),
      ]);
      return c.json(
        {
          ...envelope(asked),
          items: items.map(unreadItem),
          total: counted.unread,
          page_number,
          limit,
          sitemap,
          pages: counted.pages,
          read: counted.pages - counted.unread,
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/failures`,
      tags,
      summary: 'What AI bots could not read, and what to mend first',
      request: {
        params: idParam,
        query: reportQuery.extend({
          group: z.enum(FAILURE_GROUPS).default('page'),
          kind: z.enum(FAILURE_KINDS).default('error').openapi({ description: 'error: 4xx and 5xx' }),
          ...sorted(FAILURE_SORTS),
        }),
      },
      responses: responses(
        failureItemSchema,
        {
          totals: failureTotalsSchema,
          by_status: statusSchema,
          series: failureSeriesSchema,
          fix_first: fixFirstSchema,
        },
        'FailureReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format, group, kind } = query;
      const { warehouse, signal } = asked;
      const listing = failureListing(group, kind);
      if (format !== 'json')
        return (await file('failures', format, (of) => fileOf(of, listing, format), asked)) as never;
      const [page, totals, statuses, days, first] = await Promise.all([
        listed(asked, listing, query),
        failureTotals(warehouse, asked, kind, signal),
        failureStatuses(warehouse, asked, kind, signal),
        failureDays(warehouse, asked, signal),
        fixFirst(asked),
      ]);
      return c.json(
        {
          ...envelope(asked),
          ...page,
          totals: failureTotalsView(asked, totals),
          by_status: statuses.map(roundedAll),
          series: failureSeries(asked, days),
          fix_first: first,
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/trust`,
      tags,
      summary: 'Verified, spoofed and unknown visits by bot, with method and reason',
      request: { params: idParam, query: reportQuery.extend(sorted(TRUST_SORTS)) },
      responses: responses(
        trustItemSchema,
        { totals: trustTotalsSchema, series: trustSeriesSchema },
        'TrustReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format } = query;
      if (format !== 'json')
        return (await file('trust', format, (of) => fileOf(of, trustListing, format), asked)) as never;
      const [page, totals, days] = await Promise.all([
        listed(asked, trustListing, query),
        trustTotals(asked.warehouse, asked, asked.signal),
        botDays(asked.warehouse, asked, asked.signal),
      ]);
      return c.json(
        {
          ...envelope(asked),
          ...page,
          totals: trustTotalsView(asked, totals),
          series: trustSeries(asked, days),
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/trust/sources`,
      tags,
      summary: 'Where spoofed visits come from, by network and country',
      request: { params: idParam, query: reportQuery.extend(sorted(SOURCE_SORTS)) },
      responses: responses(sourceItemSchema, {}, 'SpoofSources'),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format } = query;
      if (format !== 'json')
        return (await file(
          'spoof-sources',
          format,
          (of) => fileOf(of, sourceListing, format),
          asked,
        )) as never;
      return c.json({ ...envelope(asked), ...(await listed(asked, sourceListing, query)) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/referrals`,
      tags,
      summary: 'People whom AI products sent, by product and landing page',
      request: {
        params: idParam,
        query: reportQuery.extend({
          group: z.enum(['page', 'engine']).default('page'),
          ...sorted(REFERRAL_SORTS),
        }),
      },
      responses: responses(
        referralItemSchema,
        { totals: referralTotalsSchema, series: referralSeriesSchema },
        'ReferralReport',
      ),
    }),
    async (c) => {
      const query = c.req.valid('query');
      const { asked } = await ask(c.get('caller'), c.req.valid('param').id, query, c.req.raw.signal);
      const { format, group } = query;
      const listing = referralListing(group);
      if (format !== 'json')
        return (await file('referrals', format, (of) => fileOf(of, listing, format), asked)) as never;
      const [page, totals, days] = await Promise.all([
        listed(asked, listing, query),
        referralTotals(asked.warehouse, asked, asked.signal),
        referralDays(asked.warehouse, asked, asked.signal),
      ]);
      return c.json(
        {
          ...envelope(asked),
          ...page,
          totals: referralTotalsView(asked, totals),
          series: referralSeries(asked, days),
        },
        200,
      );
    },
  );

  return api;
}

const unreadItemSchema = z.object({
  host: z.string(),
  path: z.string(),
  last_read: z.iso.date().nullable().openapi({ description: 'Within the last 400 days; null: never' }),
});
const UNREAD_COLUMNS = Object.keys(unreadItemSchema.shape);

const unreadItem = ({ host, path, last_read_at: at }: UnreadPage): z.infer<typeof unreadItemSchema> => ({
  host,
  path,
  last_read: at === 0 ? null : dateOf(dayAt(at)),
});

async function* unreadItems(
  pages: AsyncGenerator<readonly UnreadPage[]>,
): AsyncGenerator<z.infer<typeof unreadItemSchema>[]> {
  for await (const page of pages) yield page.map(unreadItem);
}
