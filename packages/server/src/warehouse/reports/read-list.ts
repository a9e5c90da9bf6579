/** A page of a list: counted, sorted and cut in the warehouse, or ranked by number and only then counted. */
import type { Warehouse } from '../warehouse.ts';
import { dayByDay, WEIGHT } from './aggregates.ts';
import { NOW, sqlOf } from './dimensions.ts';
import { askFacts, facts, type ReportQuery } from './facts.ts';
import {
  byOf,
  type Counting,
  counted,
  factsOf,
  isByPage,
  keysOf,
  type ListSpec,
  type RankedSpec,
  type SummedSpec,
} from './list.ts';
import { COUNTED, HITS } from './measures.ts';
import { type Columns, columnOf, type Measure, type Measures, readSlices } from './slices.ts';

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

const PAGE_NUMBER: NonNullable<ListSpec['number']> = { sql: 'f.page', reads: ['page'] };

/** @throws RangeError for a sort that the list hasn't */
export async function readList<Row>(
  warehouse: Warehouse,
  query: ReportQuery,
  spec: ListSpec,
  request: ListRequest,
  signal?: AbortSignal,
): Promise<ListPage<Row>> {
  const [page] = await readLists<Row>(warehouse, query, spec, [request], signal);
  if (page === undefined) throw new Error('Each request has its page');
  return page;
}

/** Several pages of one list; the rows of those that are ranked are counted together. @throws RangeError for a sort that the list hasn't */
export async function readLists<Row>(
  warehouse: Warehouse,
  query: ReportQuery,
  spec: ListSpec,
  requests: readonly ListRequest[],
  signal?: AbortSignal,
): Promise<ListPage<Row>[]> {
  const isRanked = ({ sort }: ListRequest) => spec.ranks?.[sort] !== undefined;
  const ranking =
    spec.ranks === undefined
      ? new Map<ListRequest, ListPage<Row>>()
      : readRanked<Row>(warehouse, query, spec, requests.filter(isRanked), signal);
  return await Promise.all(
    requests.map(async (request) => {
      const page = isRanked(request)
        ? (await ranking).get(request)
        : await readSorted<Row>(warehouse, query, spec, request, signal);
      return await pageFrom(warehouse, query, { spec, request }, page ?? { items: [], total: 0 }, signal);
    }),
  );
}

async function readRanked<Row>(
  warehouse: Warehouse,
  query: ReportQuery,
  spec: RankedSpec,
  requests: readonly ListRequest[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<ListRequest, ListPage<Row>>> {
  const ranked = await Promise.all(
    requests.map(async (request) => ({
      request,
      ...(await rankRows(warehouse, query, spec, request, signal)),
    })),
  );
  const of = (what: 'numbers' | 'pages') => [...new Set(ranked.flatMap((one) => one[what]))];
  const rows = await countRows<Row>(warehouse, query, spec, of('numbers'), signal, of('pages'));
  return new Map(
    ranked.map(({ request, numbers, total }) => [request, { items: inOrder(numbers, rows), total }]),
  );
}

async function readSorted<Row>(
  warehouse: Warehouse,
  query: ReportQuery,
  spec: ListSpec,
  request: ListRequest,
  signal: AbortSignal | undefined,
): Promise<ListPage<Row>> {
  const column = spec.sorts[request.sort];
  if (column === undefined) throw new RangeError(`No such sort: ${request.sort}`);
  const { sql } = spec.number ?? PAGE_NUMBER;
  const numbers = {
    number: `toString(any(${sql}))`,
    ...(isByPage(spec) ? { page: 'toString(any(f.page))' } : {}),
  };
  const isNumbered = daysOf(spec, query) !== null;
  const rows = await askFacts<Row & { total: number; number?: string; page?: string }>(
    warehouse,
    query,
    `SELECT *, count() OVER () AS total FROM (${counted(spec, query, isNumbered ? numbers : {})})
ORDER BY ${column} ${request.order === 'asc' ? 'ASC' : 'DESC'} NULLS LAST, ${Object.keys(spec.keys).join(', ')}
LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    signal,
    { ...spec.params, limit: request.limit, offset: (request.page - 1) * request.limit },
  );
  return { items: await withDays(warehouse, query, spec, rows, signal), total: rows[0]?.total ?? 0 };
}

/** Days for each row, where they are compared. */
const daysOf = ({ compares }: ListSpec, query: ReportQuery): Measure | null =>
  compares && query.plan.previous !== null ? { of: dayByDay(query), where: COUNTED } : null;

/** For all rows of a list the days would be most of its memory, so they are read for those that are shown. */
async function withDays<Row extends { readonly number?: string; readonly page?: string }>(
  warehouse: Warehouse,
  query: ReportQuery,
  spec: ListSpec,
  rows: readonly Row[],
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const numbers = rows.map(({ number = '0' }) => number);
  const pages = rows.map(({ page = '0' }) => page);
  const days = await readDays(warehouse, query, spec, { numbers, pages }, signal);
  return rows.map((row) => ({ ...row, ...days(row.number) }));
}

/**
 * The days of some rows, added up by the engine: of slices each would have all of the days, which made 200 rows an answer of 37 MB.
 * @returns the member of a row by its number; none where nothing is compared
 */
async function readDays(
  warehouse: Warehouse,
  query: ReportQuery,
  spec: ListSpec,
  { numbers, pages }: { readonly numbers: readonly string[]; readonly pages: readonly string[] },
  signal: AbortSignal | undefined,
): Promise<(number: string | undefined) => { readonly days?: readonly number[] }> {
  const days = daysOf(spec, query);
  if (days === null || numbers.length === 0) return () => ({});
  const { sql, reads, where = 'true' } = spec.number ?? PAGE_NUMBER;
  const found = await askFacts<{ number: string; days: number[] }>(
    warehouse,
    query,
    `SELECT toString(${sql}) AS number, ${columnOf(days)} AS days
FROM ${facts(['weight', ...reads], query, spec.classes, { ofFewPages: isByPage(spec) })}
WHERE ${ofNumbers(spec)} AND ${where} GROUP BY number`,
    signal,
    { ...spec.params, numbers: numbers.map(BigInt), pages: pages.map(BigInt) },
  );
  const byNumber = new Map(found.map(({ number, days: sums }) => [number, sums]));
  return (number = '') => ({ days: byNumber.get(number) ?? [] });
}

/** The facts of some rows. By their pages first, where each is of one: those lie together. */
const ofNumbers = (spec: ListSpec): string => {
  const { sql } = spec.number ?? PAGE_NUMBER;
  const byPage = isByPage(spec) ? 'f.page IN {pages:Array(UInt64)}' : 'true';
  return sql === PAGE_NUMBER.sql && isByPage(spec)
    ? byPage
    : `${byPage} AND ${sql} IN {numbers:Array(UInt64)}`;
};

/** Beyond the last page no row says how many there are, which is still worth knowing. */
async function pageFrom<Row>(
  warehouse: Warehouse,
  query: ReportQuery,
  { spec, request }: { readonly spec: ListSpec; readonly request: ListRequest },
  { items, total }: ListPage<Row>,
  signal: AbortSignal | undefined,
): Promise<ListPage<Row>> {
  const isBeyond = items.length === 0 && request.page > 1;
  return { items, total: isBeyond ? await size(warehouse, query, spec, signal) : total };
}

async function size(
  warehouse: Warehouse,
  query: ReportQuery,
  spec: ListSpec,
  signal: AbortSignal | undefined,
): Promise<number> {
  const sql = `SELECT count() AS total FROM (${counted(spec, query)})`;
  const [whole] = await askFacts<{ total: number }>(warehouse, query, sql, signal, spec.params);
  return whole?.total ?? 0;
}

/** The rows of a page of a ranked list, by their numbers alone. @throws RangeError for a sort that isn't ranked */
export async function rankRows(
  warehouse: Warehouse,
  query: ReportQuery,
  { classes, number = PAGE_NUMBER, ranks, params }: RankedSpec,
  { sort, order, limit, page }: ListRequest,
  signal?: AbortSignal,
): Promise<{
  readonly numbers: readonly string[];
  /** Of the rows, by their numbers. */
  readonly pages: readonly string[];
  readonly total: number;
}> {
  const rank = ranks[sort];
  if (rank === undefined) throw new RangeError(`Not ranked by ${sort}`);
  const isPage = number.sql === PAGE_NUMBER.sql;
  const [among, hits] = rank.compares ? [sqlOf(COUNTED), columnOf(HITS)] : [NOW, WEIGHT.all];
  const rows = await askFacts<{ number: string; page: string; total: number }>(
    warehouse,
    query,
    `SELECT toString(row) AS number, toString(${isPage ? 'row' : 'of_page'}) AS page, count() OVER () AS total FROM (
  SELECT ${number.sql} AS row, ${isPage ? '' : 'any(f.page) AS of_page, '}${hits} AS hits, ${rank.measure} AS measure
  FROM ${facts([...new Set(['weight', ...number.reads, ...rank.reads])], query, classes)}
  WHERE ${among} AND ${rank.where} GROUP BY row HAVING hits > 0 AND ${rank.having ?? 'true'})
ORDER BY measure ${order === 'asc' ? 'ASC' : 'DESC'} NULLS LAST, hits DESC, row LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    signal,
    { ...params, limit, offset: (page - 1) * limit },
  );
  return {
    numbers: rows.map((row) => row.number),
    pages: rows.map((row) => row.page),
    total: rows[0]?.total ?? 0,
  };
}

/**
 * Rows of a list by their numbers, without what is derived of them.
 * @param numbers at most some hundred
 * @param pages theirs, where a row's number is another
 */
export async function countRows<Row>(
  warehouse: Warehouse,
  query: ReportQuery,
  spec: SummedSpec,
  numbers: readonly string[],
  signal?: AbortSignal,
  pages: readonly string[] = numbers,
): Promise<ReadonlyMap<string, Row>> {
  if (numbers.length === 0) return new Map();
  const number = { number: `toString(any(${(spec.number ?? PAGE_NUMBER).sql}))` };
  const read = async (part: Counting & { readonly measures: Measures }, keys: Columns) =>
    await readSlices<Row & { number: string }>(
      warehouse,
      query,
      {
        keys,
        by: Object.values(byOf(spec)),
        measures: part.measures,
        from: factsOf(spec, part, query, ofNumbers(spec)),
      },
      signal,
      { ...spec.params, numbers: numbers.map(BigInt), pages: pages.map(BigInt) },
    );
  // Joined here: short statements side by side are answered sooner than one of all.
  const [rows, apart, days] = await Promise.all([
    read(spec, { ...number, ...keysOf(spec) }),
    spec.apart === undefined ? [] : read(spec.apart, number),
    readDays(warehouse, query, spec, { numbers, pages }, signal),
  ]);
  const others = new Map(apart.map((row) => [row.number, row]));
  return new Map(rows.map((row) => [row.number, { ...others.get(row.number), ...row, ...days(row.number) }]));
}

/** Those that are still there: between the two questions raw hits may have grown too old. */
export const inOrder = <Row>(numbers: readonly string[], rows: ReadonlyMap<string, Row>): Row[] =>
  numbers.flatMap((number) => rows.get(number) ?? []);
