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
  const { signs, has } = signsOf(query);
  const isKind = kind === 'file' ? 'is_file' : 'NOT is_file';
  const numbersOf = (condition: string) =>
    `groupArrayIf(${MAX_NAMED + 1})(toString(page), ${isKind} AND ${condition})`;
  const relation = facts(['page', ...KIND_COLUMNS, 'genuine'], everyone, ['ai_bot'], { derived: { signs } });
  const [row] = await askFacts<
    Pick<ReadPaths, 'pages' | 'files'> & Lost & { readonly unread: readonly string[] }
  >(
    warehouse,
    everyone,
    `SELECT countIf(NOT is_file AND ${has('reads_now')}) AS pages, countIf(is_file AND ${has('reads_now')}) AS files,
  ${numbersOf(`NOT ${has('reads_now')} AND ${has('visits_now')}`)} AS now,
  ${numbersOf(`NOT ${has('reads_before')} AND ${has('visits_before')}`)} AS before,
  ${numbersOf(`NOT ${has('reads')} AND ${has('spoofed')}`)} AS unread
FROM (
  SELECT f.page AS page, any(${IS_FILE}) AS is_file, groupBitOr(f.signs) AS all_signs FROM ${relation} GROUP BY f.page
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

/**
 * What visits say of their page, each statement in a bit: grouping keeps one small number for a page, not six counts.
 * @returns `signs`: of a visit, as SQL over `f`; `has`: whether a visit of a page has one, as SQL over its `all_signs`
 */
function signsOf({ population }: ReportQuery) {
  const counted = population === 'all' ? 'true' : 'f.genuine';
  const isNow = `${IN_PERIOD} AND ${counted}`;
  const isBefore = `NOT (${IN_PERIOD}) AND ${counted}`;
  const conditions = {
    visits_now: isNow,
    reads_now: `${isNow} AND ${IS_READ}`,
    visits_before: isBefore,
    reads_before: `${isBefore} AND ${IS_READ}`,
    reads: `${IN_PERIOD} AND ${IS_READ}`,
    spoofed: `${IN_PERIOD} AND NOT f.genuine`,
  };
  const bits = Object.values(conditions).map((condition, bit) => `if(${condition}, ${2 ** bit}, 0)`);
  const names = Object.keys(conditions);
  return {
    signs: `toUInt8(${bits.join(' + ')})`,
    has: (name: keyof typeof conditions): string => `bitTest(all_signs, ${names.indexOf(name)})`,
  };
}
