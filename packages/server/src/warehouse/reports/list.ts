/** Lists that are counted, sorted and paged in the warehouse; and the same lists whole, for exports. */
import type { Warehouse } from '../warehouse.ts';
import type { FactClass } from './daily-tables.ts';
import { askFacts, facts, type Question } from './facts.ts';
import { type Columns, HITS, selected } from './measures.ts';

/** A report that is a list. `Row` is what the query gives: its keys and measures by their names. */
export interface ListSpec {
  readonly classes: readonly FactClass[];
  /** Columns of the facts that keys and measures read. */
  readonly reads: readonly string[];
  /** What makes a row one: name → expression over `f`, and the type by which an export goes on after it. */
  readonly keys: Readonly<Record<string, { readonly sql: string; readonly type: 'String' | 'UInt32' }>>;
  readonly measures: Columns;
  /** What is grouped by, where that is shorter than the keys, which are then the same within a group: a page's number for its host and path. */
  readonly by?: Columns;
  /** Measures over other facts than the rest, joined to it by the keys: what needs single pages, beside what leaner rows tell. */
  readonly apart?: {
    readonly reads: readonly string[];
    readonly measures: Columns;
    /** A condition on single facts. */
    readonly where?: string;
  };
  /** Only where a page is shown: what would make an export too heavy. */
  readonly charts?: Columns;
  /** Computed from keys and measures. */
  readonly derived?: Columns;
  /** A condition on single facts. */
  readonly where?: string;
  /** A condition on counted rows. */
  readonly having?: string;
  /** Name of a sort → key, measure or derived column. */
  readonly sorts: Readonly<Record<string, string>>;
  /**
   * Sorts by which a list is first ranked by a number for each row alone, and only the rows that are shown are counted in full: a few out
   * of tens of thousands. Equal ones then follow each other by number.
   */
  readonly ranks?: Readonly<Record<string, Rank>>;
  /** That number, the same for all facts of a row; default: its page's. */
  readonly number?: { readonly sql: string; readonly reads: readonly string[] };
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface Rank {
  readonly reads: readonly string[];
  /** A condition on single facts: those that may bring a page into the list. */
  readonly where?: string;
  /** What is sorted by, the same number as the list's own. */
  readonly measure: string;
}

export interface ListRequest {
  /** Of `sorts`; what is none of them is a fault of the caller's. */
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  /** 1 to 200. */
  readonly limit: number;
  /** From 1. */
  readonly page: number;
}

export interface ListPage<Row> {
  readonly items: readonly Row[];
  /** Rows of all pages. */
  readonly total: number;
}

const EXPORT_PAGE_ROWS = 10_000;
const PAGE_NUMBER = { sql: 'f.page', reads: ['page'] } as const;

/** @throws RangeError for a sort that the list hasn't */
export async function readList<Row>(
  warehouse: Warehouse,
  question: Question,
  spec: ListSpec,
  request: ListRequest,
  signal?: AbortSignal,
): Promise<ListPage<Row>> {
  const column = spec.sorts[request.sort];
  if (column === undefined) throw new RangeError(`No such sort: ${request.sort}`);
  const rank = spec.ranks?.[request.sort];
  if (rank !== undefined) return await readRanked<Row>(warehouse, question, { spec, rank, request }, signal);
  const keys = Object.keys(spec.keys).join(', ');
  const rows = await askFacts<Row & { total: number }>(
    warehouse,
    question,
    `SELECT *, count() OVER () AS total FROM (${counted(spec, question, true)})
ORDER BY ${column} ${request.order === 'asc' ? 'ASC' : 'DESC'} NULLS LAST, ${keys}
LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    signal,
    { ...spec.params, limit: request.limit, offset: (request.page - 1) * request.limit },
  );
  const [first] = rows;
  if (first !== undefined || request.page === 1) return { items: rows, total: first?.total ?? 0 };
  // Beyond the last page: how many there are is still worth knowing.
  return { items: [], total: await size(warehouse, question, spec, signal) };
}

async function size(
  warehouse: Warehouse,
  question: Question,
  spec: ListSpec,
  signal: AbortSignal | undefined,
): Promise<number> {
  const sql = `SELECT count() AS total FROM (${counted(spec, question, false)})`;
  const [whole] = await askFacts<{ total: number }>(warehouse, question, sql, signal, spec.params);
  return whole?.total ?? 0;
}

async function readRanked<Row>(
  warehouse: Warehouse,
  question: Question,
  { spec, rank, request }: { spec: ListSpec; rank: Rank; request: ListRequest },
  signal: AbortSignal | undefined,
): Promise<ListPage<Row>> {
  const direction = request.order === 'asc' ? 'ASC' : 'DESC';
  const { where = 'true' } = rank;
  const number = spec.number ?? PAGE_NUMBER;
  const ranked = await askFacts<{ number: string; total: number }>(
    warehouse,
    question,
    `SELECT toString(row) AS number, count() OVER () AS total FROM (
  SELECT ${number.sql} AS row, ${rank.measure} AS measure
  FROM ${facts([...new Set(['weight', ...number.reads, ...rank.reads])], question, spec.classes)}
  WHERE ${where} GROUP BY row HAVING ${HITS} > 0)
ORDER BY measure ${direction}, row LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    signal,
    { ...spec.params, limit: request.limit, offset: (request.page - 1) * request.limit },
  );
  const [first] = ranked;
  if (first === undefined)
    return { items: [], total: request.page === 1 ? 0 : await size(warehouse, question, spec, signal) };
  const items = await askFacts<Row>(
    warehouse,
    question,
    `SELECT * FROM (${counted(spec, question, true, `${number.sql} IN {numbers:Array(UInt64)}`)})
ORDER BY ${spec.sorts[request.sort]} ${direction}, ${Object.keys(spec.keys).join(', ')}`,
    signal,
    { ...spec.params, numbers: ranked.map(({ number }) => BigInt(number)) },
  );
  return { items, total: first.total };
}

/** The whole list in the order of its keys, a page at a time: memory is bounded by the page, and no row comes twice while others arrive. */
export async function* exportList<Row extends object>(
  warehouse: Warehouse,
  question: Question,
  spec: ListSpec,
  signal?: AbortSignal,
  pageRows = EXPORT_PAGE_ROWS,
): AsyncGenerator<readonly Row[]> {
  const keys = Object.entries(spec.keys);
  // As text: enumerations are ordered by their numbers, and can't be compared with the words that they stand for.
  const names = keys.map(([name, { type }]) => (type === 'String' ? `toString(${name})` : name)).join(', ');
  for (let last: Row | undefined; ; ) {
    const beyond = last as Readonly<Record<string, unknown>> | undefined;
    const rows: Row[] = await askFacts<Row>(
      warehouse,
      question,
      `SELECT * FROM (${counted(spec, question, false)})
${beyond === undefined ? '' : `WHERE (${names}) > (${keys.map(([name, { type }]) => `{after_${name}:${type}}`).join(', ')})`}
ORDER BY ${names} LIMIT {limit:UInt32}`,
      signal,
      {
        ...spec.params,
        ...Object.fromEntries(
          keys.map(([name]): [string, unknown] => [`after_${name}`, beyond?.[name] ?? '']),
        ),
        limit: pageRows,
      },
    );
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < pageRows) return;
  }
}

/** @param only a further condition on single facts */
function counted(spec: ListSpec, question: Question, charts: boolean, only = 'true'): string {
  const keys = Object.fromEntries(Object.entries(spec.keys).map(([name, { sql }]) => [name, sql]));
  const { by = keys, apart } = spec;
  const names = Object.keys(by).join(', ');
  const main = `SELECT ${selected({ ...by, ...keys, ...spec.measures, ...(charts ? spec.charts : {}) })}
FROM ${facts(spec.reads, question, spec.classes)}
WHERE ${only} AND ${spec.where ?? 'true'}
GROUP BY ${names}
HAVING ${spec.having ?? 'hits > 0'}`;
  const joined =
    apart === undefined
      ? main
      : `SELECT * FROM (${main}) AS m LEFT JOIN (
SELECT ${selected({ ...by, ...apart.measures })}
FROM ${facts(apart.reads, question, spec.classes)}
WHERE ${only} AND ${apart.where ?? 'true'}
GROUP BY ${names}) AS a USING (${names})`;
  const unnamed = Object.keys(by).filter((name) => !(name in keys));
  const shown = unnamed.length === 0 ? '*' : `* EXCEPT (${unnamed.join(', ')})`;
  const derived = spec.derived === undefined ? '' : `, ${selected(spec.derived)}`;
  return `SELECT ${shown}${derived} FROM (${joined})`;
}

/** A key of words. The column itself, not its text: grouping by text instead of dictionary numbers took four times as long. */
export const text = (sql: string) => ({ sql, type: 'String' }) as const;
