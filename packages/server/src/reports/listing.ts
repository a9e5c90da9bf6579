/** A report that is a list: a page of it as JSON, or all of it as a file. */
import { z } from '@hono/zod-openapi';
import { csvLine } from '../shared/index.ts';
import { exportList, type ListPage, type ListRequest, type ListSpec, readList } from '../warehouse/index.ts';
import type { Asked } from './context.ts';

const MAX_LIMIT = 200;
/** Deeper pages of a list that is counted anew for each: nobody turns so many. */
const MAX_PAGE = 10_000;

export const listShape = {
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50),
  page_number: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
  format: z
    .enum(['json', 'csv', 'ndjson'])
    .default('json')
    .openapi({ description: 'csv, ndjson: the whole list' }),
} as const;

export interface ListQuery {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly page_number: number;
}

/** How a list is asked for and shown. */
export interface Listing<Row extends object, Item extends object> {
  readonly spec: ListSpec;
  /** Rows of the warehouse as items of the answer. */
  readonly items: (asked: Asked, rows: readonly Row[]) => Promise<Item[]> | Item[];
  /** Members of an item that a CSV file has, nested ones with a dot. */
  readonly columns: readonly string[];
}

export const pageShape = {
  total: z.number().int(),
  page_number: z.number().int(),
  limit: z.number().int(),
} as const;

type ListAnswer<Item> = { items: Item[]; total: number; page_number: number; limit: number };

export const requestOf = ({ page_number: page, sort, order, limit }: ListQuery): ListRequest => ({
  ...{ sort, order, limit, page },
});

export async function listed<Row extends object, Item extends object>(
  asked: Asked,
  listing: Listing<Row, Item>,
  query: ListQuery,
): Promise<ListAnswer<Item>> {
  const page = await readList<Row>(asked.warehouse, asked, listing.spec, requestOf(query), asked.signal);
  return await pageOf(asked, listing, query, page);
}

/** A page of rows as the answer. */
export async function pageOf<Row extends object, Item extends object>(
  asked: Asked,
  { items }: Listing<Row, Item>,
  { limit, page_number }: ListQuery,
  page: ListPage<Row>,
): Promise<ListAnswer<Item>> {
  return { items: await items(asked, page.items), total: page.total, page_number, limit };
}

/** The order of a list that is sorted here, as the warehouse would: nothing to compare comes last, equal ones follow each other by their keys. */
export function compareBy<Row>(
  value: (row: Row) => string | number | null,
  order: 'asc' | 'desc',
  keys: (row: Row) => readonly string[],
): (a: Row, b: Row) => number {
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  const direction = order === 'asc' ? 1 : -1;
  return (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) {
      if (x !== y) return x === null ? 1 : -1;
    } else if (x !== y) return direction * compare(x, y);
    const [ofA, ofB] = [keys(a), keys(b)];
    return ofA.reduce((found, key, index) => found || compare(key, ofB[index] ?? ''), 0);
  };
}

/** The pieces of a file. */
export async function* fileOf<Row extends object, Item extends object>(
  asked: Asked,
  listing: Listing<Row, Item>,
  format: 'csv' | 'ndjson',
): AsyncGenerator<string> {
  const pages = exportList<Row>(asked.warehouse, asked, listing.spec, asked.signal);
  yield* written(
    asked,
    (async function* () {
      for await (const rows of pages) yield await listing.items(asked, rows);
    })(),
    listing.columns,
    format,
  );
}

const ITEMS_AT_ONCE = 500;

/** Each line names the population, so that a file tells what it counts wherever it is read. */
export async function* written(
  { population }: Pick<Asked, 'population'>,
  pages: AsyncGenerator<readonly object[]>,
  columns: readonly string[],
  format: 'csv' | 'ndjson',
): AsyncGenerator<string> {
  const line =
    format === 'csv'
      ? (item: object) => csvLine([...columns.map((column) => at(item, column)), population])
      : (item: object) => `${JSON.stringify({ ...item, population })}\n`;
  if (format === 'csv') yield csvLine([...columns, 'population']);
  for await (const page of pages) {
    for (let from = 0; from < page.length; from += ITEMS_AT_ONCE)
      yield page
        .slice(from, from + ITEMS_AT_ONCE)
        .map(line)
        .join('');
  }
}

function at(item: object, column: string): unknown {
  let value: unknown = item;
  for (const name of column.split('.'))
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return Array.isArray(value) ? value.join(' ') : value;
}
