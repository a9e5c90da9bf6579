/**
 * What brought how many conversions, and of what value. Added up here and not in SQL: money is decimal text, which neither database can
 * add exactly, and every model but the recorded one divides each conversion among its touches.
 */
import {
  addDecimal,
  type CreditModel,
  compareDecimal,
  credit,
  currencyExponent,
  multiplyByShares,
  subtractDecimal,
  type Touch,
} from '@ghostlight/core';
import { sql } from 'kysely';
import { type Days, dateOf } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { ConversionRow } from './announce.ts';
import { type ConversionFacets, passing } from './facets.ts';
import { hourAt } from './hours.ts';
import { newestFirst } from './newest-first.ts';

export const DIMENSIONS = ['channel', 'campaign', 'source'] as const;
type Dimension = (typeof DIMENSIONS)[number];

const PAGE = 2_000;
/** Read for one report by default, newest first; beyond it the report says that it is cut. */
const MAX_CONVERSIONS = 250_000;
/** The author of a link names the campaign. What is beyond is counted as having none. */
const MAX_KEYS = 5_000;
const SHOWN_ROWS = 1_000;
const SHOWN_IN_SERIES = 100;

export interface ReportQuery extends ConversionFacets {
  /** Epoch milliseconds, inside and outside. */
  readonly from: number;
  readonly to: number;
  readonly by: Dimension;
  readonly model: CreditModel;
  /** Of the property: adds the series. null: without. */
  readonly days: Days | null;
  /** Adds the hours, counted from `from`. Left out: none. */
  readonly byHour?: boolean;
}

/** What a row has of a day or an hour. */
type Point = Pick<ReportRow, 'key' | 'conversions' | 'values'>;

export interface Amount {
  readonly currency: string;
  /** Decimal text. */
  readonly value: string;
}

interface ReportRow {
  /** Empty: not matched, or without a value of that kind. */
  readonly key: string;
  /** Where all of it is one platform's. */
  readonly platform: string | null;
  /** Decimal text: a share of a conversion is a fraction. */
  readonly conversions: string;
  /** Refunds subtracted. */
  readonly values: Amount[];
  /** What was subtracted: with `values`, it is what was paid. */
  readonly refunds: Amount[];
}

export interface Report {
  /** Most conversions first. */
  readonly rows: ReportRow[];
  /** By the property’s days, oldest first; of the hundred largest rows. */
  readonly series: (Point & { readonly day: string })[];
  /** The same by the hour, where that was asked for. */
  readonly hours?: (Point & { readonly at: string })[];
  readonly totals: Pick<ReportRow, 'conversions' | 'values' | 'refunds'> & { readonly matched: string };
  readonly cut: boolean;
  readonly detail: Detail;
}

/** What a comparison needs besides the answer. */
export interface Detail {
  /** All conversions by the property’s days. Of days without a conversion or a refund there is none. */
  readonly daily: ReadonlyMap<string, Pick<ReportRow, 'conversions' | 'values'>>;
  /** How many conversions an amount is the sum of; a share of one is a fraction. @param key of a row; left out: of all */
  ordersIn(currency: string, key?: string): number;
  /** Whether a row of this key is known to have nothing: neither is it a row, nor can it be beyond those that are counted. */
  isWithout(key: string): boolean;
}

type Row = Pick<
  ConversionRow,
  | 'id'
  | 'topic'
  | 'occurred_at'
  | 'value'
  | 'currency'
  | 'session_matched'
  | 'channel'
  | 'campaign'
  | 'source'
  | 'platform'
  | 'touches'
  | 'purchase_row'
> & {
  /** Of a refund's order. */
  readonly order_currency: string | null;
};
interface Part {
  readonly key: string;
  readonly platform: string | null;
  readonly share: string;
}

export async function attributionReport(
  database: Database,
  owner: Owner,
  query: ReportQuery,
  most = MAX_CONVERSIONS,
): Promise<Report> {
  const rows = new Map<string, Sums>();
  const days = new Map<string, Map<string, Sums>>();
  const hours = new Map<number, Map<string, Sums>>();
  const daily = new Map<string, Sums>();
  const totals = new Sums(null);
  const dayAt = query.days === null ? null : datesOf(query.days);
  let matched = 0;
  let read = 0;
  for await (const row of conversionsOf(database, owner, query)) {
    read += 1;
    if (read > most) break;
    if (takesNothing(row)) continue;
    totals.add(row, '1', row.value);
    if (row.session_matched === 1 && row.topic !== 'refund') matched += 1;
    const day = dayAt?.(row.occurred_at);
    if (day !== undefined) at(daily, day, () => new Sums(null)).add(row, '1', row.value);
    const hour = query.byHour === true ? hourAt(row.occurred_at, query.from) : undefined;
    const parts = partsOf(row, query);
    const values = divided(row, parts);
    for (const [index, part] of parts.entries()) {
      const key = rows.has(part.key) || rows.size < MAX_KEYS ? part.key : '';
      at(rows, key, () => new Sums(part.platform)).add(row, part.share, values[index] ?? null, part.platform);
      const add = (to: Map<string, Sums>) =>
        at(to, key, () => new Sums(null)).add(row, part.share, values[index] ?? null);
      if (day !== undefined) add(at(days, day, newMap));
      if (hour !== undefined) add(at(hours, hour, newMap));
    }
  }
  const ordered = [...rows].sort(
    ([a, left], [b, right]) => compareDecimal(right.conversions, left.conversions) || (a < b ? -1 : 1),
  );
  const charted = new Set(ordered.slice(0, SHOWN_IN_SERIES).map(([key]) => key));
  return {
    rows: ordered
      .slice(0, SHOWN_ROWS)
      .map(([key, sums]) => ({ key, platform: sums.platform, ...sums.view() })),
    series: pointsIn(days, charted).map(([day, point]) => ({ day, ...point })),
    ...(query.byHour === true
      ? {
          hours: pointsIn(hours, charted).map(([hour, point]) => ({
            at: new Date(hour).toISOString(),
            ...point,
          })),
        }
      : {}),
    totals: { ...totals.view(), matched: String(matched) },
    cut: read > most,
    detail: {
      daily: new Map([...daily].map(([day, sums]) => [day, sums.view()])),
      ordersIn: (currency, key) => (key === undefined ? totals : rows.get(key))?.orders.get(currency) ?? 0,
      isWithout: (key) => !rows.has(key) && rows.size < MAX_KEYS,
    },
  };
}

/** Oldest first. @param charted keys that are large enough to be drawn */
function pointsIn<Time extends string | number>(
  all: ReadonlyMap<Time, ReadonlyMap<string, Sums>>,
  charted: ReadonlySet<string>,
): (readonly [Time, Point])[] {
  return [...all]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([time, keys]) =>
      [...keys]
        .filter(([key]) => charted.has(key))
        .map(([key, sums]) => {
          const { conversions, values } = sums.view();
          return [time, { key, conversions, values }] as const;
        }),
    );
}

/** The name of the day in which a moment lies. Rows come in the order of time: a zone's tables are asked once a day, not once a row. */
function datesOf(days: Days): (at: number) => string {
  let known = { date: '', from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  return (at) => {
    if (at < known.from || at >= known.to) {
      const day = days.dayAt(at);
      known = { date: dateOf(day), from: days.startOf(day), to: days.startOf(day + 1) };
    }
    return known.date;
  };
}

/** A refund without an amount; one in another currency than its order, or of no known order, takes back nothing that was counted. */
const takesNothing = ({ topic, value, currency, purchase_row: order, order_currency }: Row): boolean =>
  topic === 'refund' &&
  (value === null ||
    currency === null ||
    order === null ||
    (order_currency !== null && order_currency !== currency));

/** What one row of the report adds up to. */
class Sums {
  platform: string | null;
  conversions = '0';
  /** Conversions with a value, by its currency. */
  readonly orders = new Map<string, number>();
  readonly #values = new Map<string, string>();
  readonly #refunds = new Map<string, string>();

  constructor(platform: string | null) {
    this.platform = platform;
  }

  /** A refund takes value back and is no conversion. */
  add({ topic, currency }: Row, share: string, value: string | null, platform: string | null = null): void {
    if (platform !== this.platform) this.platform = null;
    const isRefund = topic === 'refund';
    if (!isRefund) this.conversions = addDecimal(this.conversions, share);
    if (value === null || currency === null) return;
    const before = this.#values.get(currency) ?? '0';
    this.#values.set(currency, isRefund ? subtractDecimal(before, value) : addDecimal(before, value));
    if (isRefund) this.#refunds.set(currency, addDecimal(this.#refunds.get(currency) ?? '0', value));
    else this.orders.set(currency, (this.orders.get(currency) ?? 0) + Number(share));
  }

  view(): Pick<ReportRow, 'conversions' | 'values' | 'refunds'> {
    return {
      conversions: this.conversions,
      values: amounts(this.#values),
      refunds: amounts(this.#refunds),
    };
  }
}

/** As recorded where that is the model asked for, and where the touches are gone with their visitor. */
function partsOf(row: Row, { by, model }: ReportQuery): readonly Part[] {
  const touches = JSON.parse(row.touches) as Touch[];
  const shares = credit(touches, model);
  if (shares.size === 0) return [{ key: row[by] ?? '', platform: row.platform, share: '1' }];
  return touches
    .filter(({ id }) => shares.has(id))
    .map((touch) => ({ key: touch[by], platform: touch.platform, share: shares.get(touch.id) ?? '0' }));
}

/** Exactly: the parts of an amount sum up to it. */
function divided({ value, currency }: Row, parts: readonly Part[]): readonly (string | null)[] {
  if (value === null || currency === null) return [];
  if (parts.length === 1) return [value];
  return multiplyByShares(
    value,
    parts.map(({ share }) => share),
    currencyExponent(currency) ?? undefined,
  );
}

const conversionsOf = (
  database: Database,
  { id, organizationId }: Owner,
  { from, to, model, ...facets }: ReportQuery,
): AsyncGenerator<Row> =>
  newestFirst(PAGE, ({ older, order, limit }) =>
    database.reader
      .selectFrom('conversions')
      .leftJoin('conversions as orders', 'orders.id', 'conversions.purchase_row')
      .select(['conversions.id', 'conversions.topic', 'conversions.occurred_at', 'conversions.value'])
      .select(['conversions.currency', 'conversions.session_matched'])
      .select(['conversions.purchase_row', 'orders.currency as order_currency'])
      .select(['conversions.channel', 'conversions.campaign', 'conversions.source', 'conversions.platform'])
      // As recorded, where that is the model asked for: then the touches need not be read.
      .select(
        sql<string>`case when conversions.model is null or conversions.model = ${model} then '[]' else conversions.touches end`.as(
          'touches',
        ),
      )
      .where('conversions.attribution_id', '=', id)
      .where('conversions.organization_id', '=', organizationId)
      .where('conversions.occurred_at', '>=', from)
      .where('conversions.occurred_at', '<', to)
      .where(passing(facets))
      // A sale that points to another is the same order, received under another topic.
      .where(({ eb, or }) =>
        or([eb('conversions.topic', '=', 'refund'), eb('conversions.purchase_row', 'is', null)]),
      )
      .where(older)
      .orderBy(order)
      .limit(limit)
      .execute(),
  );

const amounts = (sums: ReadonlyMap<string, string>): Amount[] =>
  [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, value]) => ({ currency, value }));
const newMap = (): Map<string, Sums> => new Map();

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const standing = map.get(key);
  if (standing !== undefined) return standing;
  const made = make();
  map.set(key, made);
  return made;
}
