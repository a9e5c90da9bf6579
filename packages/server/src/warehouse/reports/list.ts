/** Lists that are counted, sorted and paged in the warehouse; and the same lists whole, for exports. */
import type { Warehouse } from '../warehouse.ts';
import type { FactClass } from './daily-tables.ts';
import { askFacts, facts, type Question } from './facts.ts';
import { type Columns, HITS, selected } from './measures.ts';

/** Facts added up. */
interface Counting {
  /** Columns of the facts that are read. */
  readonly reads: readonly string[];
  readonly measures: Columns;
  /** A condition on single facts. */
  readonly where?: string;
}

/** A report that is a list. `Row` is what the query gives: its keys and measures by their names. */
export interface ListSpec extends Counting {
  readonly classes: readonly FactClass[];
  /** What makes a row one: name → expression over `f`, and the type by which an export goes on after it. */
  readonly keys: Readonly<Record<string, { readonly sql: string; readonly type: 'String' | 'UInt32' }>>;
  /** What is grouped by, where that is shorter than the keys, which are then the same within a group: a page's number for its host and path. */
  readonly by?: Columns;
  /** Measures over more facts than the rest, joined to it. */
  readonly apart?: Counting;
  /** Computed from keys and measures. */
  readonly derived?: Columns;
  /** A condition on counted rows; default: they have hits. */
  readonly having?: string;
  /** Name of a sort → an expression over keys, measures and derived columns. */
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
  const [page] = await readLists<Row>(warehouse, question, spec, [request], signal);
  if (page === undefined) throw new Error('Each request has its page');
  return page;
}

/** Several pages of one list; the rows of those that are ranked are counted together. @throws RangeError for a sort that the list hasn't */
export async function readLists<Row>(
  warehouse: Warehouse,
  question: Question,
  spec: ListSpec,
  requests: readonly ListRequest[],
  signal?: AbortSignal,
): Promise<ListPage<Row>[]> {
  const isRanked = ({ sort }: ListRequest) => spec.ranks?.[sort] !== undefined;
  const ranking = Promise.all(
    requests.filter(isRanked).map(async (request) => ({
      request,
      ...(await rankRows(warehouse, question, spec, request, signal)),
    })),
  );
  const counting = ranking.then(async (ranked) => {
    const numbers = new Set(ranked.flatMap((one) => one.numbers));
    return await countRows<Row>(warehouse, question, spec, [...numbers], signal);
  });
  return await Promise.all(
    requests.map(async (request) => {
      if (!isRanked(request)) return await readSorted<Row>(warehouse, question, spec, request, signal);
      const [ranked, rows] = await Promise.all([ranking, counting]);
      const { numbers, total } = ranked.find((one) => one.request === request) ?? { numbers: [], total: 0 };
      return await pageFrom(
        warehouse,
        question,
        { spec, request },
        { items: inOrder(numbers, rows), total },
        signal,
      );
    }),
  );
}

async function readSorted<Row>(
  warehouse: Warehouse,
  question: Question,
  spec: ListSpec,
  request: ListRequest,
  signal: AbortSignal | undefined,
): Promise<ListPage<Row>> {
  const column = spec.sorts[request.sort];
  if (column === undefined) throw new RangeError(`No such sort: ${request.sort}`);
  const rows = await askFacts<Row & { total: number }>(
    warehouse,
    question,
    `SELECT *, count() OVER () AS total FROM (${counted(spec, question)})
ORDER BY ${column} ${request.order === 'asc' ? 'ASC' : 'DESC'} NULLS LAST, ${Object.keys(spec.keys).join(', ')}
LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    signal,
    { ...spec.params, limit: request.limit, offset: (request.page - 1) * request.limit },
  );
  return await pageFrom(
    warehouse,
    question,
    { spec, request },
    { items: rows, total: rows[0]?.total ?? 0 },
    signal,
  );
}

/** Beyond the last page no row says how many there are, which is still worth knowing. */
async function pageFrom<Row>(
  warehouse: Warehouse,
  question: Question,
  { spec, request }: { readonly spec: ListSpec; readonly request: ListRequest },
  { items, total }: ListPage<Row>,
  signal: AbortSignal | undefined,
): Promise<ListPage<Row>> {
  const isBeyond = items.length === 0 && request.page > 1;
  return { items, total: isBeyond ? await size(warehouse, question, spec, signal) : total };
}

async function size(
  warehouse: Warehouse,
  question: Question,
  spec: ListSpec,
  signal: AbortSignal | undefined,
): Promise<number> {
  const sql = `SELECT count() AS total FROM (${counted(spec, question)})`;
  const [whole] = await askFacts<{ total: number }>(warehouse, question, sql, signal, spec.params);
  return whole?.total ?? 0;
}

/** The rows of a page of a ranked list, by their numbers alone. @throws RangeError for a sort that isn't ranked */
export async function rankRows(
  warehouse: Warehouse,
  question: Question,
  { classes, number = PAGE_NUMBER, ranks, params }: ListSpec,
  { sort, order, limit, page }: ListRequest,
  signal?: AbortSignal,
): Promise<{ readonly numbers: readonly string[]; readonly total: number }> {
  const rank = ranks?.[sort];
  if (rank === undefined) throw new RangeError(`Not ranked by ${sort}`);
  const rows = await askFacts<{ number: string; total: number }>(
    warehouse,
    question,
    `SELECT toString(row) AS number, count() OVER () AS total FROM (
  SELECT ${number.sql} AS row, ${rank.measure} AS measure
  FROM ${facts([...new Set(['weight', ...number.reads, ...rank.reads])], question, classes)}
  WHERE ${rank.where ?? 'true'} GROUP BY row HAVING ${HITS} > 0)
ORDER BY measure ${order === 'asc' ? 'ASC' : 'DESC'}, row LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    signal,
    { ...params, limit, offset: (page - 1) * limit },
  );
  return { numbers: rows.map((row) => row.number), total: rows[0]?.total ?? 0 };
}

/** Rows of a list by their numbers, in full. @param numbers at most some hundred */
export async function countRows<Row>(
  warehouse: Warehouse,
  question: Question,
  spec: ListSpec,
  numbers: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Row>> {
  if (numbers.length === 0) return new Map();
  const { sql } = spec.number ?? PAGE_NUMBER;
  const number = { number: `toString(${sql})` };
  const only = `${sql} IN {numbers:Array(UInt64)}`;
  const ask = async (statement: string) =>
    await askFacts<Row & { number: string }>(warehouse, question, statement, signal, {
      ...spec.params,
      numbers: numbers.map(BigInt),
    });
  // Joined here: two short statements side by side are answered sooner than one of both.
  const [rows, apart] = await Promise.all([
    ask(shown(spec, grouped(spec, spec, question, { ...number, ...keysOf(spec) }, only))),
    spec.apart === undefined ? [] : ask(grouped(spec, spec.apart, question, number, only)),
  ]);
  const others = new Map(apart.map((row) => [row.number, row]));
  return new Map(rows.map((row) => [row.number, { ...others.get(row.number), ...row }]));
}

/** Those that are still there: between the two questions raw hits may have grown too old. */
export const inOrder = <Row>(numbers: readonly string[], rows: ReadonlyMap<string, Row>): Row[] =>
  numbers.flatMap((number) => rows.get(number) ?? []);

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
      `SELECT * FROM (${counted(spec, question)})
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

/** All of a list, as a relation. */
function counted(spec: ListSpec, question: Question): string {
  const { apart } = spec;
  const keys = keysOf(spec);
  if (apart === undefined) return shown(spec, grouped(spec, spec, question, keys));
  const by = byOf(spec);
  const names = Object.keys(by);
  const unnamed = names.filter((name) => !(name in keys));
  return shown(
    spec,
    `SELECT * ${unnamed.length === 0 ? '' : `EXCEPT (${unnamed.join(', ')})`}
FROM (${grouped(spec, spec, question, { ...by, ...keys })}) AS m
LEFT JOIN (${grouped(spec, apart, question, by)}) AS a USING (${names.join(', ')})`,
  );
}

const keysOf = ({ keys }: ListSpec): Columns =>
  Object.fromEntries(Object.entries(keys).map(([name, { sql }]) => [name, sql]));
const byOf = (spec: ListSpec): Columns => spec.by ?? keysOf(spec);

/** @param columns beside the measures @param only a further condition on single facts */
const grouped = (spec: ListSpec, part: Counting, question: Question, columns: Columns, only = 'true') =>
  `SELECT ${selected({ ...columns, ...part.measures })}
FROM ${facts(part.reads, question, spec.classes)}
WHERE ${only} AND ${part.where ?? 'true'}
GROUP BY ${Object.values(byOf(spec)).join(', ')}
HAVING ${part === spec ? (spec.having ?? 'hits > 0') : 'true'}`;

const shown = ({ derived = {} }: ListSpec, rows: string): string =>
  `SELECT ${['*', ...(Object.keys(derived).length > 0 ? [selected(derived)] : [])].join(', ')} FROM (${rows})`;

/** A key of words. The column itself, not its text: grouping by text instead of dictionary numbers took four times as long. */
export const text = (sql: string) => ({ sql, type: 'String' }) as const;
