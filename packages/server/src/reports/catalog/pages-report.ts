/** What AI bots read: page by page, by folder, and bot by page. */
import { isFilePath } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import {
  type BotPageRow,
  botPageList as botPageQuery,
  type FolderRow,
  folderList as folderQuery,
  type PageRow,
  type PageTotals,
  type PathKind,
  pageList as pageQuery,
  pageTotals,
  type ReadPaths,
  readPaths,
} from '../../warehouse/index.ts';
import { column, defineTable, type ItemOf, integer, nullable, text } from '../columns.ts';
import type { ReportContext } from '../context.ts';
import {
  compared,
  comparedColumns,
  comparedShape,
  figureColumns,
  figures,
  figuresShape,
  INTENT_NAMES,
  intentColumns,
  readColumns,
  readShape,
} from '../figures.ts';
import { readPage, readWhole, type WarehouseList } from '../listing.ts';
import { roundedAll } from '../numbers.ts';
import { kindParameter } from '../parameters.ts';
import { defineList } from '../report.ts';

/** Of a row. */
const ROW_KINDS = ['page', 'file', 'unread'] as const;
const rowKindSchema = z
  .enum(ROW_KINDS)
  .openapi({ description: 'unread: it was requested, but never answered with 2xx or 304' });
const rowKind = (path: string, { reads }: Pick<PageRow, 'reads'>): z.infer<typeof rowKindSchema> =>
  reads === 0 ? 'unread' : isFilePath(path) ? 'file' : 'page';

const PATH = { host: text('Host'), path: text('Path'), kind: column(rowKindSchema, 'text', 'Kind') } as const;
const pageTable = defineTable('PageItem', {
  ...PATH,
  bots: integer('Bots', 'bots'),
  ...figureColumns,
  ...intentColumns,
  ...comparedColumns,
});
const botPageTable = defineTable('BotPageItem', {
  ...PATH,
  bot: text('Bot'),
  vendor: text('Vendor'),
  intent: text('Intent'),
  ...figureColumns,
  ...comparedColumns,
});
const folderTable = defineTable('FolderItem', {
  folder: text('Folder'),
  is_folder: column(z.boolean(), 'flag', 'Is a folder'),
  kind: nullable(PATH.kind, 'Of a path; null: a folder'),
  pages: nullable(readColumns.pages, 'Null where only files are listed'),
  files: nullable(readColumns.files, 'Null where only pages are listed'),
  bots: integer('Bots', 'bots'),
  ...figureColumns,
  ...intentColumns,
  ...comparedColumns,
});
const TABLES = { page: pageTable, folder: folderTable, bot_page: botPageTable } as const;

const totalsSchema = z
  .object({ ...figuresShape, ...readShape, bots: z.number().int(), ...comparedShape })
  .openapi({ description: 'Visits to the listed paths; `pages` and `files` count all of their kind' });

export const pages = defineList({
  name: 'pages',
  path: 'pages',
  summary: 'Pages that AI bots read: by page, by folder, or by bot and page',
  schema: 'PageReport',
  parameters: {
    ...kindParameter,
    group: z.enum(['page', 'folder', 'bot_page']).default('page'),
    prefix: z
      .string()
      .max(4096)
      .regex(/^\/(?:.*\/)?$/, 'A folder begins and ends with a slash.')
      .default('/')
      .openapi({ description: 'With `group=folder`: the folder whose children are listed' }),
  },
  sorts: ['hits', 'path', 'bots', 'pages', 'last_seen', 'errors', 'change'],
  tables: [pageTable, botPageTable, folderTable],
  tableOf: ({ group }) => TABLES[group],
  around: { totals: totalsSchema },
  async run(context, parameters) {
    const { group, kind, prefix } = parameters;
    // Only folders have a number of pages to sort by.
    const sort = parameters.sort === 'pages' && group !== 'folder' ? 'hits' : parameters.sort;
    const asked = { ...parameters, sort };
    const paths = readPaths(context.warehouse, context, kind, group, context.signal);
    const [page, totals] = await Promise.all([
      group === 'page'
        ? readPage(context, pageList(kind), asked)
        : group === 'folder'
          ? paths.then((known) => readPage(context, folderList(prefix, kind, context, known), asked))
          : readPage(context, botPageList(kind), asked),
      pageTotals(context.warehouse, context, kind, group, context.signal, paths),
    ]);
    return { ...page, totals: totalsOf(context, totals) };
  },
  whole: (context, { group, kind, prefix }) =>
    group === 'page'
      ? readWhole(context, pageList(kind))
      : group === 'folder'
        ? readWhole(context, folderList(prefix, kind, context))
        : readWhole(context, botPageList(kind)),
});

const intents = ({ training, search, on_demand, other }: PageRow | FolderRow) =>
  roundedAll({ training, search, on_demand, other });
const estimatedIntents = (row: PageRow | FolderRow) =>
  Object.fromEntries(INTENT_NAMES.map((name) => [name, row[`estimated_${name}`]]));

const pageList = (kind: PathKind): WarehouseList<PageRow, ItemOf<typeof pageTable>> => ({
  spec: pageQuery(kind),
  items: (context, rows) =>
    rows.map((row) => ({
      host: row.host,
      path: row.path,
      kind: rowKind(row.path, row),
      bots: row.bots,
      ...figures(row, estimatedIntents(row)),
      ...intents(row),
      ...compared(context, row),
    })),
});

const botPageList = (kind: PathKind): WarehouseList<BotPageRow, ItemOf<typeof botPageTable>> => ({
  spec: botPageQuery(kind),
  items: (context, rows) =>
    rows.map((row) => ({
      host: row.host,
      path: row.path,
      kind: rowKind(row.path, row),
      bot: row.bot,
      vendor: row.vendor,
      intent: row.intent,
      ...figures(row),
      ...compared(context, row),
    })),
});

const folderList = (
  prefix: string,
  kind: PathKind,
  context: ReportContext,
  paths?: ReadPaths,
): WarehouseList<FolderRow, ItemOf<typeof folderTable>> => ({
  spec: folderQuery(prefix, kind, context, paths),
  items: (context, rows) =>
    rows.map((row) => ({
      folder: row.folder,
      is_folder: row.is_folder === 1,
      kind: row.is_folder === 1 ? null : rowKind(row.folder, row),
      pages: kind === 'file' ? null : row.pages,
      files: kind === 'page' ? null : row.files,
      bots: row.bots,
      ...figures(row, estimatedIntents(row)),
      ...intents(row),
      ...compared(context, row),
    })),
});

const totalsOf = (context: ReportContext, totals: PageTotals): z.infer<typeof totalsSchema> => ({
  ...figures(totals),
  pages: totals.pages,
  files: totals.files,
  bots: totals.bots,
  ...compared(context, totals),
});
