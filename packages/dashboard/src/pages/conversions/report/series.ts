/** Turns the sparse points of the report into series for a chart: no gaps, few series, one unit. */
import { DAY_MS } from '@ghostlight/core/time';
import type { Point, Series } from '../../../features/charts/steps.ts';
import type { Dimension, ReportRow, SeriesPoint } from '../../../features/conversions/api.ts';
import {
  addDecimals,
  compareDecimals,
  formatCount,
  formatMoney,
  isZero,
} from '../../../features/conversions/money.ts';
import { keyName } from '../messages.ts';

/** The most series; the rest is grouped into one. */
const MAX_SERIES = 5;
/** The name of the grouped rest. */
export const OTHERS = 'All others';

interface Line {
  readonly key: string;
  /** Decimal text, as are the values. */
  readonly total: string;
  /** One for each day. */
  readonly values: readonly string[];
  /** True: the sum of the keys without a line of their own. */
  readonly gathered: boolean;
}

interface Shaped {
  /** Days of the period, oldest first. */
  readonly days: readonly string[];
  /** Largest total first, the grouped rest last. */
  readonly lines: readonly Line[];
  /** The sum of all lines, for each day. */
  readonly sums: readonly string[];
}

interface ShapeInput {
  readonly points: readonly SeriesPoint[];
  /** First day and number of days of the period. */
  readonly from: string;
  readonly days: number;
  /** Null counts conversions; a currency sums the values in it and leaves out others. */
  readonly currency: string | null;
}

/** Never adds two currencies: the caller chooses one. */
export function shapeSeries({ points, from, days, currency }: ShapeInput): Shaped {
  const first = Date.parse(from);
  const byKey = new Map<string, string[]>();
  for (const point of points) {
    const index = (Date.parse(point.day) - first) / DAY_MS;
    const measured = measure(point, currency);
    if (!(index >= 0 && index < days) || isZero(measured)) continue;
    const values = byKey.get(point.key) ?? new Array<string>(days).fill('0');
    values[index] = addDecimals(values[index] ?? '0', measured);
    byKey.set(point.key, values);
  }
  const all = [...byKey]
    .map(([key, values]) => ({ key, values, total: addDecimals(...values), gathered: false }))
    .sort((a, b) => compareDecimals(b.total, a.total) || a.key.localeCompare(b.key));
  const lines: Line[] = all.length > MAX_SERIES + 1 ? [...all.slice(0, MAX_SERIES), gather(all)] : all;
  return {
    days: Array.from({ length: days }, (_, index) =>
      new Date(first + index * DAY_MS).toISOString().slice(0, 10),
    ),
    lines,
    sums: Array.from({ length: days }, (_, index) =>
      addDecimals(...lines.map(({ values }) => values[index] ?? '0')),
    ),
  };
}

function gather(all: readonly Line[]): Line {
  const rest = all.slice(MAX_SERIES);
  const values = (rest[0]?.values ?? []).map((_, index) =>
    addDecimals(...rest.map((line) => line.values[index] ?? '0')),
  );
  return { key: OTHERS, values, total: addDecimals(...values), gathered: true };
}

function measure(point: SeriesPoint, currency: string | null): string {
  if (currency === null) return point.conversions;
  return addDecimals(
    ...point.values.filter((amount) => amount.currency === currency).map(({ value }) => value),
  );
}

/** The currencies of a report, the most frequent first, then by code. */
export function currenciesOf(rows: readonly ReportRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { values } of rows) {
    for (const { currency } of values) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return [...counts].sort(([a, one], [b, other]) => other - one || a.localeCompare(b)).map(([code]) => code);
}

/** A ratio between 0 and 1, for drawing only. */
export function ratio(part: string, whole: string): number {
  const value = Number(part) / Number(whole);
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}

/** Decimal places to which amounts and shared credit are kept. */
const PLACES = 6;

/**
 * Formats a figure of the chart, which adds points as floats: rounding to these places restores the exact sum below one billion.
 * @param currency null: a number of conversions
 */
export function figure(value: number, currency: string | null): string {
  const text = value.toFixed(PLACES);
  return currency === null ? formatCount(text) : formatMoney({ value: text, currency });
}

export function seriesOf(lines: readonly Line[], by: Dimension): Series[] {
  return lines.map((line, index) => ({
    key: line.key,
    name: line.gathered ? OTHERS : keyName(line.key, by),
    paint: paintOf(line, index),
  }));
}

/** AI is teal in every chart. */
function paintOf({ key, gathered }: Line, index: number): string {
  if (gathered) return 'rest';
  return key === 'ai_assistant' ? 'ai_referral' : `hue-${1 + (index % MAX_SERIES)}`;
}

/** @param today the day that is not over */
export function pointsOf({ days, lines }: Shaped, today: string): Point[] {
  return days.map((day, index) => ({
    day,
    partial: day === today,
    values: Object.fromEntries(lines.map(({ key, values }) => [key, Number(values[index] ?? '0')])),
  }));
}

/** Whole percent; 0 and 100 only when exact; null when the total is zero. */
export function matchRate(matched: string, all: string): number | null {
  const [part, whole] = [Number(matched), Number(all)];
  if (!Number.isFinite(part) || !(whole > 0)) return null;
  const percent = Math.round((part / whole) * 100);
  if (percent === 0 && part > 0) return 1;
  return percent === 100 && part < whole ? 99 : Math.min(100, Math.max(0, percent));
}

/** Rows in the order of the chart: largest first. @param currency of the values; null: by number of conversions, as the service sorts them */
export function rowsBy(rows: readonly ReportRow[], currency: string | null): ReportRow[] {
  const worth = ({ values }: ReportRow): string =>
    values.find((amount) => amount.currency === currency)?.value ?? '0';
  return currency === null ? [...rows] : rows.toSorted((a, b) => compareDecimals(worth(b), worth(a)));
}
