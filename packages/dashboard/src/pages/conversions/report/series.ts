/** Turns the sparse points of the report into series for a chart: no gaps, few series, one unit. */
import { DAY_MS, type HOUR_MS } from '@ghostlight/core/time';
import type { Add, Before, Figure, Point, Series } from '../../../features/charts/steps.ts';
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
const MAX_SERIES = 4;
/** In this order neighbours differ, in both themes. */
const HUES = [1, 3, 4, 2, 7, 5] as const;
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

export interface Shaped {
  /** Days of the period, oldest first. */
  readonly days: readonly string[];
  /** Largest total first, the grouped rest last. */
  readonly lines: readonly Line[];
}

type Step = typeof DAY_MS | typeof HOUR_MS;

interface ShapeInput {
  readonly points: readonly SeriesPoint[];
  /** First day and number of days of the period; of hours their moments. */
  readonly from: string;
  readonly days: number;
  /** As long as what a value is of. A day when absent. */
  readonly step?: Step;
  /** Null counts conversions; a currency sums the values in it and leaves out others. */
  readonly currency: string | null;
}

/** Never adds two currencies: the caller chooses one. */
export function shapeSeries({ points, from, days, step = DAY_MS, currency }: ShapeInput): Shaped {
  const first = Date.parse(from);
  const byKey = new Map<string, string[]>();
  for (const point of points) {
    const index = (Date.parse(point.day) - first) / step;
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
    days: Array.from({ length: days }, (_, index) => nameAfter(from, index, step)),
    lines,
  };
}

function gather(all: readonly Line[]): Line {
  const rest = all.slice(MAX_SERIES);
  const values = (rest[0]?.values ?? []).map((_, index) =>
    addDecimals(...rest.map((line) => line.values[index] ?? '0')),
  );
  return { key: OTHERS, values, total: addDecimals(...values), gathered: true };
}

export interface EarlierDays {
  /** First and last day, as many as are compared. */
  readonly from: string;
  readonly to: string;
  readonly points: readonly SeriesPoint[];
}

/**
 * The days that a chart is compared with, told apart as its lines are. What no line of its own stands for is in the grouped rest, which is
 * added where the chart has none.
 */
export function withEarlier(
  { lines, days }: Shaped,
  earlier: EarlierDays | null,
  currency: string | null,
  step: Step = DAY_MS,
): { readonly shaped: Shaped; readonly before: readonly Before[] | null } {
  if (earlier === null) return { shaped: { lines, days }, before: null };
  const count = (Date.parse(earlier.to) - Date.parse(earlier.from)) / step + 1;
  const own = new Set(lines.filter(({ gathered }) => !gathered).map(({ key }) => key));
  const values = Array.from({ length: count }, () =>
    Object.fromEntries([...lines.map(({ key }) => key), OTHERS].map((key) => [key, '0'])),
  );
  for (const point of earlier.points) {
    const day = values[(Date.parse(point.day) - Date.parse(earlier.from)) / step];
    const key = own.has(point.key) ? point.key : OTHERS;
    if (day !== undefined) day[key] = addDecimals(day[key] ?? '0', measure(point, currency));
  }
  const hasOthers = lines.some(({ gathered }) => gathered);
  const isAdded = !hasOthers && values.some((day) => !isZero(day[OTHERS] ?? '0'));
  const rest = { key: OTHERS, total: '0', values: days.map(() => '0'), gathered: true };
  return {
    shaped: { days, lines: isAdded ? [...lines, rest] : lines },
    before: values.map((day, index) => ({ day: nameAfter(earlier.from, index, step), values: day })),
  };
}

/** The date of a day, the moment of an hour. */
function nameAfter(first: string, count: number, step: Step): string {
  const name = new Date(Date.parse(first) + count * step).toISOString();
  return step === DAY_MS ? name.slice(0, 10) : name;
}

function measure(point: SeriesPoint, currency: string | null): string {
  if (currency === null) return point.conversions;
  return addDecimals(
    ...point.values.filter((amount) => amount.currency === currency).map(({ value }) => value),
  );
}

/** A ratio between 0 and 1, for drawing only. */
export function ratio(part: string, whole: string): number {
  const value = Number(part) / Number(whole);
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}

/** Formats a figure of the chart, digit by digit. @param currency null: a number of conversions */
export function figure(value: Figure, currency: string | null, money = formatMoney): string {
  return currency === null ? formatCount(String(value)) : money({ value: String(value), currency });
}

/** The exact sum of figures of the chart. */
export const addFigures: Add = (figures) => addDecimals(...figures.map(String));

/** Teal in every chart. */
const AI = 'ai_assistant';

export function seriesOf(lines: readonly Line[], by: Dimension): Series[] {
  let others = 0;
  return lines.map((line) => ({
    key: line.key,
    name: line.gathered ? OTHERS : keyName(line.key, by),
    paint: line.gathered ? 'rest' : line.key === AI ? 'ai_referral' : `hue-${HUES[others++ % HUES.length]}`,
  }));
}

/** @param today the day that is not over */
export function pointsOf({ days, lines }: Shaped, today: string): Point[] {
  return days.map((day, index) => ({
    day,
    partial: day === today,
    values: Object.fromEntries(lines.map(({ key, values }) => [key, values[index] ?? '0'])),
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

/** Whole percent that a value is of a total, as `matchRate`; null where either is below zero, after refunds. */
export function shareOf(part: string, whole: string): number | null {
  return compareDecimals(part, '0') < 0 || compareDecimals(whole, part) < 0 ? null : matchRate(part, whole);
}

/** What a row has of what the chart measures. @param currency of the values; null: the number of conversions */
export const measuredIn =
  (currency: string | null) =>
  ({ conversions, values }: Pick<ReportRow, 'conversions' | 'values'>): string =>
    currency === null ? conversions : (values.find((amount) => amount.currency === currency)?.value ?? '0');

/** The share of a row, as `shareOf`; null too where the row has value in other currencies alone. @param whole of all rows, in the same */
export function shareOfRow(row: ReportRow, currency: string | null, whole: string): number | null {
  const isOfOthers = row.values.length > 0 && row.values.every((amount) => amount.currency !== currency);
  return currency !== null && isOfOthers ? null : shareOf(measuredIn(currency)(row), whole);
}

/** Rows in the order of the chart: largest first. @param currency of the values; null: by number of conversions, as the service sorts them */
export function rowsBy(rows: readonly ReportRow[], currency: string | null): ReportRow[] {
  const worth = measuredIn(currency);
  return currency === null ? [...rows] : rows.toSorted((a, b) => compareDecimals(worth(b), worth(a)));
}
