/** What AI bots read: pages, folders, and which bot reads which page. */
import type { Warehouse } from '../warehouse.ts';
import { askFacts, facts, NOW, type Question } from './facts.ts';
import { type ListSpec, text } from './list.ts';
import {
  BOTS,
  BY_INTENT,
  type ByIntent,
  CHANGE,
  COMPARED_HITS,
  dayByDay,
  FIGURE_COLUMNS,
  FIGURES,
  type Figures,
  HITS,
  PAGES,
  PREVIOUS_HITS,
  selected,
} from './measures.ts';

interface Compared {
  readonly previous_hits: number;
  readonly compared_hits: number;
  readonly change: number | null;
  /** Not in files. */
  readonly days?: readonly number[];
}
export interface PageRow extends Figures, ByIntent, Compared {
  readonly host: string;
  readonly path: string;
  readonly bots: number;
}
export interface BotPageRow extends Figures, Compared {
  readonly host: string;
  readonly path: string;
  readonly bot: string;
  readonly vendor: string;
  readonly intent: string;
}
export interface FolderRow extends Figures, ByIntent, Compared {
  readonly folder: string;
  /** 1: all that lies below; 0: a page. */
  readonly is_folder: number;
  readonly pages: number;
  readonly bots: number;
}

const PAGE = { host: text('any(f.host)'), path: text('any(f.path)') } as const;
const READS = [...FIGURE_COLUMNS, 'host', 'path', 'page', 'bot_name', 'intent'];
const COMMON = {
  classes: ['ai_bot'],
  compares: true,
  derived: { change: CHANGE, errors: 'client_errors + server_errors' },
} as const;
const SORTS = { hits: 'hits', last_seen: 'last_at', errors: 'errors', change: 'change' } as const;

const COMPARED = { previous_hits: PREVIOUS_HITS, compared_hits: COMPARED_HITS } as const;
const BY_HITS = { hits: { reads: [], measure: HITS } } as const;

export const pageList: ListSpec = {
  ...COMMON,
  reads: READS,
  keys: PAGE,
  by: { page: 'f.page' },
  measures: { ...FIGURES, ...BY_INTENT, bots: BOTS, ...COMPARED },
  sorts: { ...SORTS, path: 'path', bots: 'bots' },
  ranks: BY_HITS,
};

/** As little as the first page shows of them. */
export const topPageList: ListSpec = {
  classes: ['ai_bot'],
  reads: ['weight', 'host', 'path', 'page', 'bot_name'],
  keys: PAGE,
  by: { page: 'f.page' },
  measures: { hits: HITS, bots: BOTS },
  // No word of the period before, which the first page reads besides.
  where: NOW,
  sorts: { hits: 'hits' },
  ranks: { hits: { ...BY_HITS.hits, where: NOW } },
};
export type TopPageRow = Pick<PageRow, 'host' | 'path' | 'hits' | 'bots'>;

export const botPageList: ListSpec = {
  ...COMMON,
  reads: [...READS, 'vendor'],
  keys: {
    ...PAGE,
    bot: text('f.bot_name'),
    vendor: text('f.vendor'),
    intent: text('f.intent'),
  },
  by: { page: 'f.page', bot: 'f.bot_name', vendor: 'f.vendor', intent: 'f.intent' },
  measures: { ...FIGURES, ...COMPARED },
  sorts: { ...SORTS, path: 'path', bots: 'bot' },
  ranks: BY_HITS,
  number: {
    // Each word's own number first: those are found once for a dictionary, not for every row.
    sql: 'cityHash64(f.page, cityHash64(f.bot_name), cityHash64(f.vendor), f.intent)',
    reads: ['page', 'bot_name', 'vendor', 'intent'],
  },
};

const REST = 'substring(f.path, length({prefix:String}) + 1)';

const FOLDER = `if(position(${REST}, '/') = 0, f.path, concat({prefix:String}, substring(${REST}, 1, position(${REST}, '/'))))`;

/** The children of a folder: folders below it, each with all that lies in it, and its own pages. @param prefix ends with `/` */
export const folderList = (prefix: string): ListSpec => ({
  ...COMMON,
  reads: READS,
  where: 'startsWith(f.path, {prefix:String})',
  params: { prefix },
  keys: {
    folder: text(FOLDER),
    is_folder: { sql: `toUInt32(position(${REST}, '/') > 0)`, type: 'UInt32' },
  },
  measures: { ...FIGURES, ...BY_INTENT, bots: BOTS, pages: PAGES, ...COMPARED },
  number: { sql: `cityHash64(${FOLDER}, position(${REST}, '/') > 0)`, reads: ['path'] },
  sorts: { ...SORTS, path: 'folder', bots: 'bots', pages: 'pages' },
});

export interface PageTotals extends Figures {
  readonly bots: number;
  readonly pages: number;
  readonly previous_hits: number;
  readonly compared_hits: number;
  readonly days: readonly number[];
}

/** All pages together. Single pages are told apart in the period alone. */
export async function pageTotals(
  warehouse: Warehouse,
  question: Question,
  signal?: AbortSignal,
): Promise<PageTotals> {
  const columns = { ...FIGURES, bots: BOTS, ...COMPARED, days: dayByDay(question) };
  const [row] = await askFacts<PageTotals>(
    warehouse,
    question,
    `SELECT * FROM (
  SELECT ${selected(columns)} FROM ${facts([...FIGURE_COLUMNS, 'bot_name'], question, ['ai_bot'])}
) AS s CROSS JOIN (
  SELECT ${PAGES} AS pages FROM ${facts(['page'], question, ['ai_bot'])} WHERE ${NOW}
) AS p`,
    signal,
  );
  if (row === undefined) throw new Error('A sum without GROUP BY has one row');
  return row;
}
