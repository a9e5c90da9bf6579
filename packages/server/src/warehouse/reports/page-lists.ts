/** What AI bots read, as lists: pages, and which bot reads which page. */
import type { Warehouse } from '../warehouse.ts';
import { DISTINCT_BOTS, LAST, WEIGHT } from './aggregates.ts';
import { NOW, sqlOf } from './dimensions.ts';
import { askFacts, facts, type ReportQuery } from './facts.ts';
import { type Rank, type RankedSpec, type SummedSpec, text } from './list.ts';
import {
  BOTS,
  BY_INTENT,
  type ByIntent,
  CHANGE_OF_VISITS,
  COMPARED_HITS,
  ERROR,
  ESTIMATED,
  ESTIMATED_BY_INTENT,
  type EstimatedByIntent,
  FIGURES,
  type Figures,
  HITS,
  IS_READ,
  KIND_COLUMNS,
  PREVIOUS_HITS,
  READS,
} from './measures.ts';
import {
  BOT_PAGE,
  COMPARED_READS,
  LIST_OF_PATHS,
  OF_KIND,
  PATH_COLUMNS,
  type PathKind,
  type PathRow,
} from './path-kinds.ts';
import { columnOf } from './slices.ts';

/** Of the facts of the period. */
const HAS_READ = `countIf(${IS_READ}) > 0`;

export interface PageRow extends Figures, ByIntent, EstimatedByIntent, PathRow {
  readonly host: string;
  readonly path: string;
  readonly bots: number;
}
export interface BotPageRow extends Figures, PathRow {
  readonly host: string;
  readonly path: string;
  readonly bot: string;
  readonly vendor: string;
  readonly intent: string;
}

const PAGE = { host: text('any(f.host)'), path: text('any(f.path)') } as const;

/**
 * What makes a list one of a kind: paths by themselves, and what was read by the rows, which are one path each. They are ranked, whatever
 * they are sorted by: a large site has more pages by bot than the engine has memory to count in full.
 * @param bots the measure of a row that its bots are sorted by, and what it reads
 */
function ofKind(kind: PathKind, bots: Pick<Rank, 'reads' | 'measure'>) {
  const rank = ({ reads, measure }: Pick<Rank, 'reads' | 'measure'>): Rank => ({
    where: OF_KIND[kind],
    measure,
    reads: kind === 'all' ? reads : [...reads, ...KIND_COLUMNS],
    ...(kind === 'all' ? {} : { having: HAS_READ }),
  });
  return {
    where: OF_KIND[kind],
    having: kind === 'all' ? 'hits > 0' : 'hits > 0 AND reads > 0',
    ranks: {
      hits: rank({ reads: [], measure: WEIGHT.all }),
      path: rank({ reads: ['host', 'path'], measure: '(any(f.path), any(f.host))' }),
      bots: rank(bots),
      last_seen: rank({ reads: ['last_at'], measure: LAST.all }),
      errors: rank({ reads: ['status'], measure: WEIGHT.where(sqlOf(ERROR)) }),
      change: {
        ...rank({ reads: [], measure: CHANGE_OF_VISITS }),
        compares: true,
        ...(kind === 'all' ? {} : { having: `${columnOf(READS)} > 0` }),
      },
    },
    sorts: {},
  } as const;
}

export const pageList = (kind: PathKind): RankedSpec => ({
  ...LIST_OF_PATHS,
  ...ofKind(kind, { reads: ['bot_name'], measure: DISTINCT_BOTS.where('true') }),
  reads: PATH_COLUMNS,
  keys: PAGE,
  by: { page: 'f.page' },
  measures: { ...FIGURES, ...BY_INTENT, ...ESTIMATED_BY_INTENT, bots: BOTS, ...COMPARED_READS },
});

/** As little as the first page shows of them, of whatever kind: it names what fails as well. */
export const topPageList: SummedSpec = {
  ...LIST_OF_PATHS,
  reads: ['counted', 'weight', 'estimated', 'host', 'path', 'page', 'bot_name'],
  keys: PAGE,
  by: { page: 'f.page' },
  measures: {
    hits: HITS,
    estimated: ESTIMATED,
    bots: BOTS,
    previous_hits: PREVIOUS_HITS,
    compared_hits: COMPARED_HITS,
  },
  sorts: { hits: 'hits' },
};
export type TopPageRow = Pick<
  PageRow,
  'host' | 'path' | 'hits' | 'estimated' | 'bots' | 'previous_hits' | 'compared_hits' | 'days'
>;

export interface TopPages {
  /** Numbers of the pages with most hits, most first. */
  readonly numbers: readonly string[];
  /** Of all that were read. */
  readonly pages: number;
  readonly files: number;
}

/** The pages that were read most, and how many pages and files were: one reading for both. @param limit at most some hundred */
export async function topPages(
  warehouse: Warehouse,
  query: ReportQuery,
  limit: number,
  signal?: AbortSignal,
): Promise<TopPages> {
  const rows = await askFacts<{ number: string; is_file: number; pages: number; files: number }>(
    warehouse,
    query,
    `SELECT toString(row) AS number, toUInt8(asset) AS is_file,
  countIf(NOT asset) OVER () AS pages, countIf(asset) OVER () AS files FROM (
  SELECT f.page AS row, any(f.asset) AS asset, ${WEIGHT.all} AS measure
  FROM ${facts(['weight', 'page', ...KIND_COLUMNS], query, ['ai_bot'])}
  WHERE ${NOW} GROUP BY row HAVING ${HAS_READ})
ORDER BY is_file, measure DESC, row LIMIT {limit:UInt32}`,
    signal,
    { limit },
  );
  return {
    numbers: rows.filter(({ is_file: isFile }) => isFile === 0).map(({ number }) => number),
    pages: rows[0]?.pages ?? 0,
    files: rows[0]?.files ?? 0,
  };
}

export const botPageList = (kind: PathKind): RankedSpec => ({
  ...LIST_OF_PATHS,
  ...ofKind(kind, { reads: ['bot_name'], measure: 'any(f.bot_name)' }),
  reads: [...PATH_COLUMNS, 'vendor', 'reader'],
  keys: {
    ...PAGE,
    bot: text('f.bot_name'),
    vendor: text('f.vendor'),
    intent: text('f.intent'),
  },
  by: { page: 'f.page', bot: 'f.bot_name', vendor: 'f.vendor', intent: 'f.intent' },
  measures: { ...FIGURES, ...COMPARED_READS },
  number: BOT_PAGE,
});
