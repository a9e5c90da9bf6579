/**
 * The attribution report of the days that a period is compared with, and how its figures changed. Only conversions are compared: a quota
 * drops visits, so a day on which one was reached has all of its conversions.
 */
import type { DayRange } from '@ghostlight/core/periods';
import { type Change, changeOf, comparedDaysOf, type Days, dateOf, NO_CHANGE } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { Amount, Report, ReportQuery } from './report.ts';

/** Why a comparison that was asked for says nothing, in the order in which it is looked for. */
export const NOT_COMPARED = ['not_over', 'no_earlier_data', 'cut'] as const;

interface ComparedRow extends Change {
  readonly conversions: string;
  readonly values: (Amount & Change)[];
}

export interface Comparison {
  readonly period: {
    readonly from: string;
    readonly to: string;
    readonly days: number;
    readonly previous: { readonly from: string; readonly to: string } | null;
  };
  readonly compared_until: string | null;
  readonly not_compared: (typeof NOT_COMPARED)[number] | null;
  readonly data_since: string | null;
  readonly totals: (ComparedRow & Pick<Report['totals'], 'matched' | 'refunds'>) | null;
  /** Of the days before, most conversions first: also those that the period has not. */
  readonly rows: (ComparedRow & { readonly key: string; readonly gone: boolean })[] | null;
  readonly series: Report['series'] | null;
  /** Where the period has hours. */
  readonly hours: {
    readonly from: string;
    readonly until: string;
    readonly points: NonNullable<Report['hours']>;
  } | null;
}

export interface ComparedQuery extends DayRange {
  /** First day of what is compared with. */
  readonly compareFrom: number;
  readonly days: Days;
  readonly today: number;
  /** The first day whose conversions are all kept. */
  readonly keptFrom: number;
  readonly byHour?: boolean;
  /** The report of the period, by days. */
  readonly report: Report;
  /** The same of other days. Epoch milliseconds, inclusive and exclusive. */
  readonly read: (period: Pick<ReportQuery, 'from' | 'to'>) => Promise<Report>;
}

export async function comparison(
  database: Database,
  owner: Owner,
  { from, to, compareFrom, days, today, keptFrom, byHour = false, report, read }: ComparedQuery,
): Promise<Comparison> {
  const count = comparedDaysOf({ from, to }, compareFrom, today);
  const end = compareFrom + count.before;
  const oldest = await firstDay(database, owner, days);
  // Of a day before, retention may have deleted a part.
  const since = oldest === null ? null : Math.max(oldest, keptFrom);
  const answer = {
    period: {
      ...{ from: dateOf(from), to: dateOf(to), days: to - from + 1 },
      previous: count.before === 0 ? null : { from: dateOf(compareFrom), to: dateOf(end - 1) },
    },
    compared_until: count.now === 0 ? null : dateOf(from + count.now - 1),
    data_since: since === null ? null : dateOf(since),
  };
  const without = (not_compared: Comparison['not_compared']): Comparison => ({
    ...{ ...answer, not_compared },
    ...{ totals: null, rows: null, series: null, hours: null },
  });
  if (count.now === 0) return without('not_over');
  if (since === null || since > compareFrom) return without('no_earlier_data');
  if (report.cut) return without('cut');
  const span = { from: days.startOf(compareFrom), to: days.startOf(end) };
  const previous = await read(span);
  if (previous.cut) return without('cut');
  const sides = (now: Daily | undefined, before: Daily | undefined, key?: string): Sides => ({
    now: [datesFrom(from, count.now), now],
    before: [datesFrom(compareFrom, count.before), before],
    ordersIn: (currency) => previous.detail.ordersIn(currency, key),
  });
  const [ours, theirs] = [byKey(report.series), byKey(previous.series)];
  const { matched, refunds } = previous.totals;
  return {
    ...answer,
    not_compared: null,
    totals: {
      ...changed(previous.totals, sides(report.detail.daily, previous.detail.daily)),
      ...{ matched, refunds },
    },
    rows: previous.rows.map((row) => {
      const { key } = row;
      const gone = report.detail.isWithout(key);
      const now = ours.get(key) ?? (gone ? NOTHING : undefined);
      return { key, gone, ...changed(row, sides(now, theirs.get(key), key)) };
    }),
    series: previous.series,
    hours: byHour
      ? {
          from: new Date(span.from).toISOString(),
          until: new Date(span.to).toISOString(),
          points: previous.hours ?? [],
        }
      : null,
  };
}

type Figures = Pick<Report['totals'], 'conversions' | 'values'>;
type Daily = ReadonlyMap<string, Figures>;
const NOTHING: Daily = new Map();

/** The days of both sides, with the figures of each; without them, where a row is beyond those of the series. */
interface Sides {
  readonly now: readonly [dates: readonly string[], daily: Daily | undefined];
  readonly before: readonly [dates: readonly string[], daily: Daily | undefined];
  /** How many conversions before an amount is the sum of. */
  ordersIn(currency: string): number;
}

function changed({ conversions, values }: Figures, { now, before, ordersIn }: Sides): ComparedRow {
  const change = (base: number, figure: (day: Figures) => string | undefined): Change => {
    const [ours, theirs] = [now, before].map(([dates, daily]) =>
      daily === undefined ? undefined : dates.map((date) => figureOf(daily.get(date), figure)),
    );
    if (ours === undefined || theirs === undefined) return NO_CHANGE;
    return changeOf({ now: ours, before: theirs }, base);
  };
  return {
    ...{ conversions, ...change(Number(conversions), (day) => day.conversions) },
    values: values.map((amount) => ({
      ...amount,
      ...change(
        ordersIn(amount.currency),
        (day) => day.values.find(({ currency }) => currency === amount.currency)?.value,
      ),
    })),
  };
}

const figureOf = (day: Figures | undefined, figure: (day: Figures) => string | undefined): number =>
  day === undefined ? 0 : Number(figure(day) ?? '0');

function byKey(series: Report['series']): ReadonlyMap<string, Daily> {
  const keys = new Map<string, Map<string, Report['series'][number]>>();
  for (const point of series) {
    const daily = keys.get(point.key) ?? new Map<string, Report['series'][number]>();
    keys.set(point.key, daily.set(point.day, point));
  }
  return keys;
}

const datesFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dateOf(first + index));

/** Of the oldest conversion that is kept, whatever period and filters say; null: there is none. */
async function firstDay(database: Database, owner: Owner, days: Days): Promise<number | null> {
  const oldest = await database.reader
    .selectFrom('conversions')
    .select('occurred_at')
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .orderBy('occurred_at')
    .limit(1)
    .executeTakeFirst();
  return oldest === undefined ? null : days.dayAt(Number(oldest.occurred_at));
}
