/** How many pages and files were read, and which paths only failed. */
import type { Warehouse } from '../warehouse.ts';
import { NOW } from './dimensions.ts';
import { askFacts, facts, IN_PERIOD, type ReportQuery } from './facts.ts';
import { FILES, IS_FILE, IS_READ, KIND_COLUMNS, PAGES } from './measures.ts';
import type { PathKind } from './path-kinds.ts';

/** Numbers of pages that the population asked for and never read, in the period and in the one before. */
export interface Lost {
  readonly now: readonly string[];
  readonly before: readonly string[];
}

/** At most so many numbers are answered; where there are more, the statement that needs them looks for them. */
const MAX_NAMED = 5_000;

/** `many`: the numbers are not known; `none`: there are none, or they don't matter. */
export type Named<What> = What | 'none' | 'many';

export interface ReadPaths {
  readonly pages: number;
  readonly files: number;
  readonly lost: Named<Lost>;
  /** Pages that spoofed visits of the period asked for and no visit read. */
  readonly unread: Named<readonly string[]>;
}

/** How many pages and files were read, and which of a kind only failed: one look at every page for both. */
export async function readPaths(
  warehouse: Warehouse,
  query: ReportQuery,
  kind: PathKind,
  group: 'page' | 'folder' | 'bot_page',
  signal?: AbortSignal,
): Promise<ReadPaths> {
  if (kind === 'all' || group === 'bot_page') {
    const relation = facts(['page', ...KIND_COLUMNS], query, ['ai_bot']);
    const [row] = await askFacts<Pick<ReadPaths, 'pages' | 'files'>>(
      warehouse,
      query,
      `SELECT ${PAGES} AS pages, ${FILES} AS files FROM ${relation} WHERE ${NOW} AND ${IS_READ}`,
      signal,
    );
    const answer = kind === 'all' ? 'none' : 'many';
    return { pages: row?.pages ?? 0, files: row?.files ?? 0, lost: answer, unread: answer };
  }
  const everyone: ReportQuery = { ...query, population: 'all' };
  const counted = query.population === 'all' ? 'true' : 'f.genuine';
  const isNow = `${IN_PERIOD} AND ${counted}`;
  const isBefore = `NOT (${IN_PERIOD}) AND ${counted}`;
  const isKind = kind === 'file' ? 'is_file' : 'NOT is_file';
  const numbersOf = (condition: string) =>
    `groupArrayIf(${MAX_NAMED + 1})(toString(page), ${isKind} AND ${condition})`;
  const [row] = await askFacts<
    Pick<ReadPaths, 'pages' | 'files'> & Lost & { readonly unread: readonly string[] }
  >(
    warehouse,
    everyone,
    `SELECT countIf(NOT is_file AND reads_now > 0) AS pages, countIf(is_file AND reads_now > 0) AS files,
  ${numbersOf('reads_now = 0 AND visits_now > 0')} AS now, ${numbersOf('reads_before = 0 AND visits_before > 0')} AS before,
  ${numbersOf('reads = 0 AND spoofed > 0')} AS unread
FROM (
  SELECT f.page AS page, any(${IS_FILE}) AS is_file, countIf(${isNow}) AS visits_now, countIf(${isNow} AND ${IS_READ}) AS reads_now,
    countIf(${isBefore}) AS visits_before, countIf(${isBefore} AND ${IS_READ}) AS reads_before,
    countIf(${IN_PERIOD} AND ${IS_READ}) AS reads, countIf(${IN_PERIOD} AND NOT f.genuine) AS spoofed
  FROM ${facts(['page', ...KIND_COLUMNS, 'genuine'], everyone, ['ai_bot'])} GROUP BY f.page
)`,
    signal,
  );
  const { now = [], before = [], unread = [], pages = 0, files = 0 } = row ?? {};
  const asNamed = <What>(what: What, most: number): Named<What> =>
    most === 0 ? 'none' : most > MAX_NAMED ? 'many' : what;
  return {
    ...{ pages, files },
    lost: asNamed({ now, before }, Math.max(now.length, before.length)),
    // Other verdicts than the one that is asked for were not looked at.
    unread: query.filter.verified === 'false' ? 'many' : asNamed(unread, unread.length),
  };
}
