/** What of the sitemap no AI bot read. */
import { isFilePath } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { type Days, dateOf } from '../../common/index.ts';
import {
  countUnread,
  exportUnread,
  unreadPages as readUnreadPages,
  type SitemapCounts,
  type UnreadPage,
} from '../../warehouse/index.ts';
import { column, defineTable, type ItemOf, text } from '../columns.ts';
import type { ReportContext } from '../context.ts';
import { kindParameter } from '../parameters.ts';
import { defineList } from '../report.ts';
import { sitemapSchema } from '../sitemap-routes.ts';

const table = defineTable('UnreadPageItem', {
  host: text('Host'),
  path: text('Path'),
  kind: column(z.enum(['page', 'file']), 'text', 'Kind'),
  last_read: column(
    z.iso.date().nullable().openapi({ description: 'Within the last 400 days; null: never' }),
    'day',
    'Last read',
  ),
});

export const unreadPages = defineList({
  name: 'unread-pages',
  path: 'pages/unread',
  summary: 'Pages of the sitemap that no AI bot read in the period',
  schema: 'UnreadPages',
  parameters: kindParameter,
  sorts: ['path'],
  tables: [table],
  around: {
    sitemap: sitemapSchema,
    pages: z.number().int().openapi({ description: 'Of the sitemap' }),
    files: z.number().int().openapi({ description: 'Of the sitemap' }),
    read: z.number().int().openapi({ description: 'Of the listed paths' }),
  },
  async run(context, { kind, order, limit, page_number }) {
    const { warehouse, plan, signal } = context;
    // Before its version: a reading that ends in between is then still waited for, not said to be done with no pages.
    const sitemap = await context.sitemaps.state(context.property);
    const version = await versionOf(context);
    const before = await context.history();
    const slice = { kind, order, limit, offset: (page_number - 1) * limit };
    const [counted, items] = await Promise.all([
      countUnread(warehouse, context, version, signal),
      readUnreadPages(warehouse, context, before, version, slice, signal),
    ]);
    const of = (pages: keyof SitemapCounts, files: keyof SitemapCounts): number =>
      (kind === 'file' ? 0 : counted[pages]) + (kind === 'page' ? 0 : counted[files]);
    const total = of('unread_pages', 'unread_files');
    return {
      items: items.map(unreadItem(plan)),
      total,
      sitemap,
      pages: counted.pages,
      files: counted.files,
      read: of('pages', 'files') - total,
    };
  },
  async *whole(context, { kind }) {
    const { warehouse, plan, signal } = context;
    const version = await versionOf(context);
    const before = await context.history();
    for await (const pages of exportUnread(warehouse, context, before, version, kind, signal))
      yield pages.map(unreadItem(plan));
  },
});

const versionOf = async ({ sitemaps, property }: ReportContext): Promise<number> =>
  (await sitemaps.version(property)) ?? 0;

const unreadItem =
  ({ dayAt }: Pick<Days, 'dayAt'>) =>
  ({ host, path, last_read_at: at }: UnreadPage): ItemOf<typeof table> => ({
    host,
    path,
    kind: isFilePath(path) ? 'file' : 'page',
    last_read: at === 0 ? null : dateOf(dayAt(at)),
  });
