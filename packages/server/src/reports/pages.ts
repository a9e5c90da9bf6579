/** What AI bots read: page by page, by folder, and bot by page. */
import { isFilePath } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import {
  type BotPageRow,
  botPageList,
  type FolderRow,
  folderList,
  PATH_KINDS,
  type PageRow,
  type PageTotals,
  type PathKind,
  pageList,
  type Question,
} from '../warehouse/index.ts';
import type { Asked } from './context.ts';
import {
  compared,
  comparedShape,
  FIGURE_NAMES,
  figures,
  figuresShape,
  INTENT_NAMES,
  intentsShape,
  readShape,
} from './figures.ts';
import type { Listing } from './listing.ts';
import { roundedAll } from './numbers.ts';

export const PAGE_GROUPS = ['page', 'folder', 'bot_page'] as const;
export type PageGroup = (typeof PAGE_GROUPS)[number];
export const PAGE_SORTS = ['hits', 'path', 'bots', 'pages', 'last_seen', 'errors', 'change'] as const;

/** What lists of paths are asked besides. */
export const kindShape = {
  kind: z.enum(PATH_KINDS).default('page').openapi({
    description:
      'page, file: what was answered with 2xx or 304 at least once; all: every path that was asked for. Files are told by their path: robots.txt, sitemaps, feeds, images, styles, scripts, documents, `/.well-known/`',
  }),
} as const;

/** Of a row. */
const ROW_KINDS = ['page', 'file', 'unread'] as const;
const rowKindSchema = z
  .enum(ROW_KINDS)
  .openapi({ description: 'unread: it was asked for, and never answered with 2xx or 304' });
const rowKind = (path: string, { reads }: Pick<PageRow, 'reads'>): z.infer<typeof rowKindSchema> =>
  reads === 0 ? 'unread' : isFilePath(path) ? 'file' : 'page';

const COMPARED = ['previous.hits', 'previous.compared_with', 'change'];
const intents = ({ training, search, on_demand, other }: PageRow | FolderRow) =>
  roundedAll({ training, search, on_demand, other });
const estimatedIntents = (row: PageRow | FolderRow) =>
  Object.fromEntries(INTENT_NAMES.map((name) => [name, row[`estimated_${name}`]]));

export const pageItemSchema = z.object({
  host: z.string(),
  path: z.string(),
  kind: rowKindSchema,
  bots: z.number().int(),
  ...figuresShape,
  ...intentsShape,
  ...comparedShape,
});
export const botPageItemSchema = z.object({
  host: z.string(),
  path: z.string(),
  kind: rowKindSchema,
  bot: z.string(),
  vendor: z.string(),
  intent: z.string(),
  ...figuresShape,
  ...comparedShape,
});
export const folderItemSchema = z.object({
  folder: z.string(),
  is_folder: z.boolean(),
  kind: rowKindSchema.nullable().openapi({ description: 'Of a path; null: a folder' }),
  pages: readShape.pages.nullable().openapi({ description: 'Null where files alone are listed' }),
  files: readShape.files.nullable().openapi({ description: 'Null where pages alone are listed' }),
  bots: z.number().int(),
  ...figuresShape,
  ...intentsShape,
  ...comparedShape,
});

export const pageListing = (kind: PathKind): Listing<PageRow, z.infer<typeof pageItemSchema>> => ({
  spec: pageList(kind),
  columns: ['host', 'path', 'kind', 'bots', ...FIGURE_NAMES, ...INTENT_NAMES, ...COMPARED],
  items: (asked, rows) =>
    rows.map((row) => ({
      host: row.host,
      path: row.path,
      kind: rowKind(row.path, row),
      bots: row.bots,
      ...figures(row, estimatedIntents(row)),
      ...intents(row),
      ...compared(asked, row),
    })),
});

export const botPageListing = (kind: PathKind): Listing<BotPageRow, z.infer<typeof botPageItemSchema>> => ({
  spec: botPageList(kind),
  columns: ['host', 'path', 'kind', 'bot', 'vendor', 'intent', ...FIGURE_NAMES, ...COMPARED],
  items: (asked, rows) =>
    rows.map((row) => ({
      host: row.host,
      path: row.path,
      kind: rowKind(row.path, row),
      bot: row.bot,
      vendor: row.vendor,
      intent: row.intent,
      ...figures(row),
      ...compared(asked, row),
    })),
});

/** @param question the one that the list is read with */
export const folderListing = (
  prefix: string,
  kind: PathKind,
  question: Question,
): Listing<FolderRow, z.infer<typeof folderItemSchema>> => ({
  spec: folderList(prefix, kind, question),
  columns: [
    ...['folder', 'is_folder', 'kind', 'pages', 'files', 'bots'],
    ...[...FIGURE_NAMES, ...INTENT_NAMES, ...COMPARED],
  ],
  items: (asked, rows) =>
    rows.map((row) => ({
      folder: row.folder,
      is_folder: row.is_folder === 1,
      kind: row.is_folder === 1 ? null : rowKind(row.folder, row),
      pages: kind === 'file' ? null : row.pages,
      files: kind === 'page' ? null : row.files,
      bots: row.bots,
      ...figures(row, estimatedIntents(row)),
      ...intents(row),
      ...compared(asked, row),
    })),
});

export const pageTotalsSchema = z
  .object({ ...figuresShape, ...readShape, bots: z.number().int(), ...comparedShape })
  .openapi({ description: 'Visits to what is listed; `pages` and `files` are counted whatever is listed' });

export const pageTotalsView = (asked: Asked, totals: PageTotals): z.infer<typeof pageTotalsSchema> => ({
  ...figures(totals),
  pages: totals.pages,
  files: totals.files,
  bots: totals.bots,
  ...compared(asked, totals),
});
