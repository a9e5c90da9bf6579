/** A report that is a list: a page of it as JSON, or all of it as a file. */
import { z } from '@hono/zod-openapi';
import { csvLine } from '../kit/index.ts';
import { exportList, type ListSpec, readList } from '../warehouse/index.ts';
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

export async function listed<Row extends object, Item extends object>(
  asked: Asked,
  listing: Listing<Row, Item>,
  { sort, order, limit, page_number }: ListQuery,
): Promise<{ items: Item[]; total: number; page_number: number; limit: number }> {
  const { warehouse, signal } = asked;
  const request = { sort, order, limit, page: page_number };
  const { items, total } = await readList<Row>(warehouse, asked, listing.spec, request, signal);
  return { items: await listing.items(asked, items), total, page_number, limit };
}

/** The pieces of a file. */
export async function* fileOf<Row extends object, Item extends object>(
  asked: Asked,
  listing: Listing<Row, Item>,
  format: 'csv' | 'ndjson',
): AsyncGenerator<string> {
  const pages = exportList<Row>(asked.warehouse, asked, listing.spec, asked.signal);
  yield* written(
    (async function* () {
      for await (const rows of pages) yield await listing.items(asked, rows);
    })(),
    listing.columns,
    format,
  );
}

const ITEMS_AT_ONCE = 500;

export async function* written(
  pages: AsyncGenerator<readonly object[]>,
  columns: readonly string[],
  format: 'csv' | 'ndjson',
): AsyncGenerator<string> {
  const line =
    format === 'csv'
      ? (item: object) => csvLine(columns.map((column) => at(item, column)))
      : (item: object) => `${JSON.stringify(item)}\n`;
  if (format === 'csv') yield csvLine(columns);
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
