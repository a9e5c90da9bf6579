/** What of the sitemap no AI bot read. */
import { isFilePath } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { dateOf } from '../../common/index.ts';
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
import { botsAsked, reasonsOf, UNREAD_REASONS } from '../unread-reason.ts';

/** So many names of bots are said; the number says how many there are. */
const MOST_NAMES = 10;

const table = defineTable(
  'UnreadPageItem',
  {
    host: text('Host'),
    path: text('Path'),
    kind: column(z.enum(['page', 'file']), 'text', 'Kind'),
    last_read: column(
      z.iso.date().nullable().openapi({ description: 'Within the last 400 days; null: never' }),
      'day',
      'Last read',
    ),
    reason: column(
      z.enum(UNREAD_REASONS).openapi({
        description:
          'Why it was likely not read. `blocked`: robots.txt blocks it for all of the bots; `failed`, `redirected`: the last request ended so (`last_status`); `read_before`: it was read, but not in the period; `blocked_for_some`: never requested, and blocked for some of the bots; `never_requested`: it may be new, or no page links to it',
      }),
      'text',
      'Likely reason',
    ),
    last_requested: column(
      z.iso.date().nullable().openapi({ description: 'Within the last 400 days; null: never' }),
      'day',
      'Last requested',
    ),
    last_status: column(
      z.number().int().nullable().openapi({ description: 'Of the last request; null: there was none' }),
      'integer',
      'Last status',
    ),
    blocked: column(
      z.number().int().nullable().openapi({
        description:
          'How many of the listed bots (of those that the filters leave) robots.txt keeps from it; null: robots.txt could not be read',
      }),
      'integer',
      'Blocked bots',
    ),
    blocked_bots: column(
      z.array(z.string()).openapi({ description: `At most ${MOST_NAMES} of their names` }),
      'texts',
      'Blocked bots, names',
    ),
  },
  ['reason', 'last_requested', 'last_status', 'blocked', 'blocked_bots'],
);

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
    const { warehouse, signal } = context;
    // Before its version: a reading that ends in between is then still waited for, not said to be done with no pages.
    const sitemap = await context.sitemaps.state(context.property);
    const version = await versionOf(context);
    const before = await context.history();
    const itemOf = await unreadItem(context);
    const slice = { kind, order, limit, offset: (page_number - 1) * limit };
    const [counted, items] = await Promise.all([
      countUnread(warehouse, context, version, signal),
      readUnreadPages(warehouse, context, before, version, slice, signal),
    ]);
    const of = (pages: keyof SitemapCounts, files: keyof SitemapCounts): number =>
      (kind === 'file' ? 0 : counted[pages]) + (kind === 'page' ? 0 : counted[files]);
    const total = of('unread_pages', 'unread_files');
    return {
      items: items.map(itemOf),
      total,
      sitemap,
      pages: counted.pages,
      files: counted.files,
      read: of('pages', 'files') - total,
    };
  },
  async *whole(context, { kind }) {
    const { warehouse, signal } = context;
    const version = await versionOf(context);
    const before = await context.history();
    const itemOf = await unreadItem(context);
    for await (const pages of exportUnread(warehouse, context, before, version, kind, signal))
      yield pages.map(itemOf);
  },
});

const versionOf = async ({ sitemaps, property }: ReportContext): Promise<number> =>
  (await sitemaps.version(property)) ?? 0;

async function unreadItem(context: ReportContext): Promise<(page: UnreadPage) => ItemOf<typeof table>> {
  const { sitemaps, property, filter, plan } = context;
  const reasonOf = reasonsOf(await sitemaps.robots(property), botsAsked(context.botLists(), filter));
  const dayOf = (at: number) => (at === 0 ? null : dateOf(plan.dayAt(at)));
  return (page) => {
    const { reason, blocked } = reasonOf(page);
    return {
      host: page.host,
      path: page.path,
      kind: isFilePath(page.path) ? 'file' : 'page',
      last_read: dayOf(page.last_read_at),
      reason,
      last_requested: dayOf(page.last_asked_at),
      last_status: page.last_asked_at === 0 ? null : page.last_status,
      blocked: blocked?.length ?? null,
      blocked_bots: blocked?.slice(0, MOST_NAMES) ?? [],
    };
  };
}
