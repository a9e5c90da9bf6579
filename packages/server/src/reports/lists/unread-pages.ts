/** What of the sitemap no AI bot read. */
import { isFilePath } from '@ghostlight/core';
import { createRoute, z } from '@hono/zod-openapi';
import { type Days, dateOf, idParam } from '../../shared/index.ts';
import {
  countUnread,
  exportUnread,
  unreadPages as readUnreadPages,
  type SitemapCounts,
  type UnreadPage,
} from '../../warehouse/index.ts';
import { envelope } from '../context.ts';
import { listShape, written } from '../listing.ts';
import { kindShape } from '../pages.ts';
import { reportQuery } from '../query.ts';
import { sitemapSchema } from '../sitemap-routes.ts';
import { type AddList, PATH, responses, tags } from './parts.ts';

const unreadItemSchema = z.object({
  host: z.string(),
  path: z.string(),
  kind: z.enum(['page', 'file']),
  last_read: z.iso.date().nullable().openapi({ description: 'Within the last 400 days; null: never' }),
});
const UNREAD_COLUMNS = Object.keys(unreadItemSchema.shape);

export const unreadPages: AddList = (api, { ask, history, file }, reports) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: `${PATH}/pages/unread`,
      tags,
      summary: 'Pages of the sitemap that no AI bot read in the period',
      request: {
        params: idParam,
        query: reportQuery.extend({ ...kindShape, ...listShape, sort: z.enum(['path']).default('path') }),
      },
      responses: responses(
        unreadItemSchema,
        {
          sitemap: sitemapSchema,
          pages: z.number().int().openapi({ description: 'Of the sitemap' }),
          files: z.number().int().openapi({ description: 'Of the sitemap' }),
          read: z.number().int().openapi({ description: 'Of what is listed' }),
        },
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
      const { format, kind, limit, page_number } = query;
      const { warehouse, signal } = asked;
      // Before its version: a reading that ends in between is then still waited for, not said to be done with no pages.
      const sitemap = await reports.sitemaps.state(property);
      const version = (await reports.sitemaps.version(property)) ?? 0;
      const before = await history(asked, property);
      if (format !== 'json') {
        const pieces = (of: typeof asked) =>
          written(
            of,
            unreadItems(exportUnread(warehouse, of, before, version, kind, of.signal), of.plan),
            UNREAD_COLUMNS,
            format,
          );
        return (await file(c.req.raw, 'unread-pages', format, pieces, asked)) as never;
      }
      const slice = { kind, order: query.order, limit, offset: (page_number - 1) * limit };
      const [counted, items] = await Promise.all([
        countUnread(warehouse, asked, version, signal),
        readUnreadPages(warehouse, asked, before, version, slice, signal),
      ]);
      const of = (pages: keyof SitemapCounts, files: keyof SitemapCounts): number =>
        (kind === 'file' ? 0 : counted[pages]) + (kind === 'page' ? 0 : counted[files]);
      return c.json(
        {
          ...envelope(asked),
          items: items.map(unreadItem(asked.plan)),
          ...{ total: of('unread_pages', 'unread_files'), page_number, limit },
          sitemap,
          pages: counted.pages,
          files: counted.files,
          read: of('pages', 'files') - of('unread_pages', 'unread_files'),
        },
        200,
      );
    },
  );
};

const unreadItem =
  ({ dayAt }: Pick<Days, 'dayAt'>) =>
  ({ host, path, last_read_at: at }: UnreadPage): z.infer<typeof unreadItemSchema> => ({
    host,
    path,
    kind: isFilePath(path) ? 'file' : 'page',
    last_read: at === 0 ? null : dateOf(dayAt(at)),
  });

async function* unreadItems(
  pages: AsyncGenerator<readonly UnreadPage[]>,
  days: Pick<Days, 'dayAt'>,
): AsyncGenerator<z.infer<typeof unreadItemSchema>[]> {
  for await (const page of pages) yield page.map(unreadItem(days));
}
