/** What lists have in common: parameters, a page of what the warehouse counts, and the whole of it. */
import { z } from '@hono/zod-openapi';
import { exportList, type ListPage, type ListRequest, type ListSpec, readList } from '../warehouse/index.ts';
import type { ReportContext } from './context.ts';

const MAX_LIMIT = 200;
/** Deeper pages of a list that is counted again for each: readers don't go that far. */
const MAX_PAGE = 10_000;

export const listParameters = <const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) => ({
  sort: z.enum(sorts).default(sorts[0] as Sorts[number]),
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50),
  page_number: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
  format: z
    .enum(['json', 'csv', 'ndjson'])
    .default('json')
    .openapi({ description: 'csv, ndjson: the whole list' }),
  columns: z
    .string()
    .max(2_000)
    .optional()
    .transform((text) => {
      const named = (text ?? '').split(',').map((name) => name.trim());
      const columns = [...new Set(named.filter((name) => name !== ''))];
      return columns.length === 0 ? undefined : columns;
    })
    .openapi({
      type: 'string',
      description:
        'Of a file: only these of its columns (`x-columns`), in this order, separated by commas. `population` and `over_quota` follow them',
      example: 'at,bot_name,path',
    }),
});

export interface ListParameters<Sort extends string = string> {
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** From 1. */
  readonly page_number: number;
  readonly format: 'json' | 'csv' | 'ndjson';
  /** Of a file, in their order; undefined: all of them. */
  readonly columns: readonly string[] | undefined;
}

const { order, limit, format, columns } = listParameters(['at']);
/** Of lists by time. */
export const timelineParameters = {
  order: order.openapi({ description: 'desc: newest first' }),
  limit,
  format,
  columns,
} as const;
export type TimelineParameters = Pick<ListParameters, keyof typeof timelineParameters>;

const place = (description: string) => z.string().nullable().openapi({ description });
export const timelineShape = {
  limit: z.number().int(),
  previous: place('Give it as `before` for the page before this one; null: this is the first'),
  next: place('Give it as `after` for the page that follows; null: this is the last'),
} as const;

export const pageShape = {
  total: z.number().int(),
  page_number: z.number().int(),
  limit: z.number().int(),
} as const;

/** A list that the warehouse counts, sorts and cuts: its query, and its rows as items. */
export interface WarehouseList<Row extends object, Item extends object> {
  readonly spec: ListSpec;
  readonly items: (context: ReportContext, rows: readonly Row[]) => Item[];
}

export interface Page<Item> {
  readonly items: Item[];
  /** Items of all pages. */
  readonly total: number;
}

export const requestOf = ({ page_number: page, sort, order, limit }: ListParameters): ListRequest => ({
  ...{ sort, order, limit, page },
});

/** The page that is asked for. */
export async function readPage<Row extends object, Item extends object>(
  context: ReportContext,
  list: WarehouseList<Row, Item>,
  parameters: ListParameters,
): Promise<Page<Item>> {
  const { warehouse, signal } = context;
  const page = await readList<Row>(warehouse, context, list.spec, requestOf(parameters), signal);
  return pageOf(context, list, page);
}

export const pageOf = <Row extends object, Item extends object>(
  context: ReportContext,
  { items }: WarehouseList<Row, Item>,
  page: ListPage<Row>,
): Page<Item> => ({ items: items(context, page.items), total: page.total });

/** All of it, in the order of its keys. */
export async function* readWhole<Row extends object, Item extends object>(
  context: ReportContext,
  { spec, items }: WarehouseList<Row, Item>,
): AsyncGenerator<Item[]> {
  const { warehouse, signal } = context;
  for await (const rows of exportList<Row>(warehouse, context, spec, signal)) yield items(context, rows);
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
