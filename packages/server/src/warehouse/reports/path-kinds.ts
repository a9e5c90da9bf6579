/** Paths are pages or files by their form, and what was read by their visits. */
import { facts, IN_PERIOD, type ReportQuery } from './facts.ts';
import {
  COMPARED_HITS,
  FIGURE_COLUMNS,
  IS_FILE,
  IS_PAGE,
  IS_READ,
  KIND_COLUMNS,
  PREVIOUS_HITS,
  READS,
} from './measures.ts';

/**
 * Pages, files, or every path that was asked for. A page or a file is one that was read: what was never answered well is neither, and
 * stands among the failures.
 */
export const PATH_KINDS = ['page', 'file', 'all'] as const;
export type PathKind = (typeof PATH_KINDS)[number];

/** What of single facts is of a kind by its path; what was read of it, its row says. */
export const OF_KIND: Readonly<Record<PathKind, string>> = { page: IS_PAGE, file: IS_FILE, all: 'true' };

/** What tells rows of one kind apart, as a number. */
export interface RowNumber {
  readonly sql: string;
  readonly reads: readonly string[];
}

export const PAGE_NUMBER = { sql: 'f.page', reads: ['page'] } as const satisfies RowNumber;
/** A row of pages by bot: both are numbers that nothing but chance could make the same. */
export const BOT_PAGE = {
  sql: 'bitXor(f.page, f.reader)',
  reads: ['page', 'reader'],
} as const satisfies RowNumber;

/** A number that is another one in the period before. */
export const inItsPeriod = ({ plan }: ReportQuery, number: string): string =>
  plan.previous === null ? number : `if(${IN_PERIOD}, ${number}, bitNot(${number}))`;

/** Numbers of what the visits of a query read. */
export const readBy = (query: ReportQuery, kind: PathKind, { sql, reads }: RowNumber, key = sql): string =>
  `SELECT ${key}
  FROM ${facts([...new Set([...reads, ...KIND_COLUMNS])], query, ['ai_bot'])}
  WHERE ${IS_READ} AND ${OF_KIND[kind]}`;

/** What lists of paths have in common. */
export const LIST_OF_PATHS = { classes: ['ai_bot'], compares: true } as const;
export const PATH_COLUMNS = [...FIGURE_COLUMNS, 'host', 'path', 'page', 'asset', 'bot_name', 'intent'];
export const COMPARED_READS = {
  previous_hits: PREVIOUS_HITS,
  compared_hits: COMPARED_HITS,
  reads: READS,
} as const;
export interface PathRow {
  readonly previous_hits: number;
  readonly compared_hits: number;
  /** Rows of visits that were answered well; 0: it was only asked for. */
  readonly reads: number;
  /** Not in files. */
  readonly days?: readonly number[];
}
