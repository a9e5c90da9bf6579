/** What AI bots read: page by page, by folder, and bot by page. */
import { z } from '@hono/zod-openapi';
import {
  type BotPageRow,
  botPageList,
  type FolderRow,
  folderList,
  type PageRow,
  type PageTotals,
  pageList,
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
} from './figures.ts';
import type { Listing } from './listing.ts';
import { roundedAll } from './numbers.ts';

export const PAGE_GROUPS = ['page', 'folder', 'bot_page'] as const;
export const PAGE_SORTS = ['hits', 'path', 'bots', 'pages', 'last_seen', 'errors', 'change'] as const;

const COMPARED = ['previous.hits', 'change'];
const intents = ({ training, search, on_demand, other }: PageRow | FolderRow) =>
  roundedAll({ training, search, on_demand, other });

export const pageItemSchema = z.object({
  host: z.string(),
  path: z.string(),
  bots: z.number().int(),
  ...figuresShape,
  ...intentsShape,
  ...comparedShape,
});
export const botPageItemSchema = z.object({
  host: z.string(),
  path: z.string(),
  bot: z.string(),
  vendor: z.string(),
  intent: z.string(),
  ...figuresShape,
  ...comparedShape,
});
export const folderItemSchema = z.object({
  folder: z.string(),
  is_folder: z.boolean(),
  pages: z.number().int(),
  bots: z.number().int(),
  ...figuresShape,
  ...intentsShape,
  ...comparedShape,
});

export const pageListing: Listing<PageRow, z.infer<typeof pageItemSchema>> = {
  spec: pageList,
  columns: ['host', 'path', 'bots', ...FIGURE_NAMES, ...INTENT_NAMES, ...COMPARED],
  items: (asked, rows) =>
    rows.map((row) => ({
      host: row.host,
      path: row.path,
      bots: row.bots,
      ...figures(row),
      ...intents(row),
      ...compared(asked, row),
    })),
};

export const botPageListing: Listing<BotPageRow, z.infer<typeof botPageItemSchema>> = {
  spec: botPageList,
  columns: ['host', 'path', 'bot', 'vendor', 'intent', ...FIGURE_NAMES, ...COMPARED],
  items: (asked, rows) =>
    rows.map((row) => ({
      host: row.host,
      path: row.path,
      bot: row.bot,
      vendor: row.vendor,
      intent: row.intent,
      ...figures(row),
      ...compared(asked, row),
    })),
};

export const folderListing = (prefix: string): Listing<FolderRow, z.infer<typeof folderItemSchema>> => ({
  spec: folderList(prefix),
  columns: ['folder', 'is_folder', 'pages', 'bots', ...FIGURE_NAMES, ...INTENT_NAMES, ...COMPARED],
  items: (asked, rows) =>
    rows.map((row) => ({
      folder: row.folder,
      is_folder: row.is_folder === 1,
      pages: row.pages,
      bots: row.bots,
      ...figures(row),
      ...intents(row),
      ...compared(asked, row),
    })),
});

export const pageTotalsSchema = z.object({
  ...figuresShape,
  pages: z.number().int(),
  bots: z.number().int(),
  ...comparedShape,
});

export const pageTotalsView = (asked: Asked, totals: PageTotals): z.infer<typeof pageTotalsSchema> => ({
  ...figures(totals),
  pages: totals.pages,
  bots: totals.bots,
  ...compared(asked, totals),
});
