/** What was bought: the products of conversions, added up. They are stored with a conversion as they were sent, for as long as it is. */
import { addDecimal, decimalOf, multiplyDecimal } from '@ghostlight/core';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { ConversionRow } from './announce.ts';
import { type ConversionFacets, passing } from './facets.ts';
import { newestFirst } from './newest-first.ts';

/** Rows of one statement: an order lists up to 200 products. */
const PAGE = 200;
/** Read for one answer, newest first: conversions, and lines of products in them. Beyond them it says that it is cut. */
const MAX_CONVERSIONS = 50_000;
const MAX_LINES = 200_000;
/** Told apart; a sender may invent a product for each order. */
const MAX_PRODUCTS = 5_000;
const SHOWN = 500;

export interface ProductsQuery extends ConversionFacets {
  /** Epoch milliseconds, inside and outside. */
  readonly from: number;
  readonly to: number;
}

interface BoughtProduct {
  /** null: it was sent with its name alone. */
  readonly id: string | null;
  /** The newest name that it was sent with. */
  readonly name: string | null;
  /** Conversions that list it. */
  readonly conversions: number;
  /** Decimal text: goods are sold by weight as well. */
  readonly quantity: string;
  /** Price by quantity, of lines that were sent with a price and a currency. Decimal text. */
  readonly values: { readonly currency: string; readonly value: string }[];
}

export interface Bought {
  /** Those of most conversions first; at most 500. */
  readonly items: BoughtProduct[];
  /** Conversions that list products, of all. */
  readonly totals: {
    readonly with_products: number;
    readonly conversions: number;
    readonly products: number;
  };
  readonly cut: boolean;
}

type Row = Pick<ConversionRow, 'id' | 'occurred_at' | 'currency' | 'products'>;
interface Sum {
  readonly id: string | null;
  name: string | null;
  conversions: number;
  quantity: string;
  readonly values: Map<string, string>;
}

/** Refunds are no purchases, and take nothing off: most name no products. */
export async function productsBought(
  database: Database,
  owner: Owner,
  query: ProductsQuery,
): Promise<Bought> {
  const sums = new Map<string, Sum>();
  let [read, lines, isCut] = [0, 0, false];
  for await (const row of listing(database, owner, query)) {
    const sent = JSON.parse(row.products) as Record<string, unknown>[];
    lines += sent.length;
    if (read === MAX_CONVERSIONS || lines > MAX_LINES) {
      isCut = true;
      break;
    }
    read += 1;
    const seen = new Set<Sum>();
    for (const line of sent) {
      const sum = sumOf(sums, line);
      if (sum === null) {
        isCut = true;
        continue;
      }
      if (!seen.has(sum)) sum.conversions += 1;
      seen.add(sum);
      add(sum, line, row.currency);
    }
  }
  const { of } = await sales(database.reader.selectFrom('conversions'), owner, query)
    .select(({ fn }) => fn.countAll().as('of'))
    .executeTakeFirstOrThrow();
  const items = [...sums.values()].sort(
    (a, b) => b.conversions - a.conversions || (keyOf(a.id, a.name) < keyOf(b.id, b.name) ? -1 : 1),
  );
  return {
    items: items.slice(0, SHOWN).map(({ values, ...sum }) => ({
      ...sum,
      values: [...values]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([currency, value]) => ({ currency, value })),
    })),
    totals: { with_products: read, conversions: Number(of), products: sums.size },
    cut: isCut,
  };
}

const text = (value: unknown): string | null =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' ? String(value) : null;
const keyOf = (id: string | null, name: string | null): string =>
  id === null ? `name:${name ?? ''}` : `id:${id}`;

/** @returns null: one more than are told apart */
function sumOf(sums: Map<string, Sum>, line: Readonly<Record<string, unknown>>): Sum | null {
  const [id, name] = [text(line['id']), text(line['name'])];
  const key = keyOf(id, name);
  const standing = sums.get(key);
  if (standing !== undefined) {
    standing.name ??= name;
    return standing;
  }
  if (sums.size >= MAX_PRODUCTS) return null;
  const made: Sum = { id, name, conversions: 0, quantity: '0', values: new Map() };
  sums.set(key, made);
  return made;
}

/** A line without a quantity is of one piece. */
function add(sum: Sum, line: Readonly<Record<string, unknown>>, currency: string | null): void {
  const quantity = decimal(line['quantity']) ?? '1';
  const price = decimal(line['price']);
  sum.quantity = addDecimal(sum.quantity, quantity);
  if (price === null || currency === null) return;
  sum.values.set(currency, addDecimal(sum.values.get(currency) ?? '0', multiplyDecimal(price, quantity)));
}

const decimal = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? decimalOf(value) : null;

const selectConversions = (database: Database) => database.reader.selectFrom('conversions');
type Selection = ReturnType<typeof selectConversions>;

/** A sale that points to another is the same order, received under another topic. */
const sales = (
  from: Selection,
  { id, organizationId }: Owner,
  { from: start, to, ...facets }: ProductsQuery,
) =>
  from
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('occurred_at', '>=', start)
    .where('occurred_at', '<', to)
    .where('topic', '<>', 'refund')
    .where('purchase_row', 'is', null)
    .where(passing(facets));

const listing = (database: Database, owner: Owner, query: ProductsQuery): AsyncGenerator<Row> =>
  newestFirst(PAGE, ({ older, order, limit }) =>
    sales(selectConversions(database), owner, query)
      .select(['id', 'occurred_at', 'currency', 'products'])
      .where('products', '<>', '[]')
      .where(older)
      .orderBy(order)
      .limit(limit)
      .execute(),
  );
