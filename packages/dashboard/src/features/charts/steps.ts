/** Days as the bars of a chart: one each, or a week each where days would be too thin to tell apart. */
import { dayLabel } from '../../format/time.ts';

/** So many bars can be told apart on a phone. */
const MOST_DAYS = 100;
const WEEK = 7;

export interface Point {
  readonly day: string;
  readonly partial: boolean;
  /** By the key of a series. */
  readonly values: Readonly<Record<string, number>>;
  /** What of them stands on samples; what is left out is exact. */
  readonly estimated?: Readonly<Record<string, number>>;
}

export interface Series {
  readonly key: string;
  readonly name: string;
  /** Names its colour in `charts.css`. */
  readonly paint: string;
}

/** What a chart of days is drawn from. */
export interface DayChartProps {
  /** What is counted: `AI bot hits`. */
  title: string;
  /** One for each day of the period, oldest first. */
  points: readonly Point[];
  /** Stacked in this order, the first at the bottom. */
  series: readonly Series[];
  height?: number;
  /** A figure as it is read; counts when left out. */
  format?: (value: number) => string;
  /** A figure at a rule of the chart, short. */
  tick?: (value: number) => string;
  /** Values of the points that only the table has, before the series. */
  also?: readonly { key: string; name: string }[];
  /** Makes a bar the way to its own days. */
  onNarrow?: ((from: string, to: string) => void) | undefined;
}

export interface Bar extends Point {
  /** `21 Nov`, `Week of 16 Nov`; with its year where the chart has days of several. */
  readonly label: string;
  /** Its last day; `day` is its first. */
  readonly last: string;
}

/** Whether so many days are drawn as weeks. @param points one a day */
export const isByWeek = (points: readonly unknown[]): boolean => points.length > MOST_DAYS;

/** What a bar is of, after what is counted: `Visits per week`. */
export const perBar = (points: readonly unknown[]): string => `per ${isByWeek(points) ? 'week' : 'day'}`;

/** @param points one a day, oldest first, without gaps */
export function barsOf(points: readonly Point[]): Bar[] {
  const years = new Set(points.map(({ day }) => day.slice(0, 4)));
  const named = (day: string): string =>
    years.size > 1 ? `${dayLabel(day)} ${day.slice(0, 4)}` : dayLabel(day);
  if (!isByWeek(points))
    return points.map((point) => ({ ...point, label: named(point.day), last: point.day }));
  const bars: Bar[] = [];
  for (let start = 0; start < points.length; start += WEEK) {
    const days = points.slice(start, start + WEEK);
    const [first] = days;
    if (first === undefined) break;
    bars.push({
      day: first.day,
      label: `Week of ${named(first.day)}`,
      last: days.at(-1)?.day ?? first.day,
      partial: days.some(({ partial }) => partial) || days.length < WEEK,
      values: added(days.map(({ values }) => values)),
      estimated: added(days.map(({ estimated = {} }) => estimated)),
    });
  }
  return bars;
}

function added(of: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const values of of)
    for (const [key, value] of Object.entries(values)) sums[key] = (sums[key] ?? 0) + value;
  return sums;
}

/** Which bars get a date below: evenly spaced, the last one always among them. */
export function labelled(count: number, room: number): ReadonlySet<number> {
  const most = Math.max(2, Math.min(count, Math.floor(room / 84)));
  const every = Math.max(1, Math.ceil((count - 1) / Math.max(1, most - 1)));
  const picked = new Set<number>();
  for (let index = count - 1; index >= 0; index -= every) picked.add(index);
  return picked;
}

/** Counts as charts write them. */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `≈ 12,431`: part of a figure stands on samples. In every place alike. */
export const signed = (text: string, estimated = 0): string => (estimated > 0 ? `≈\u00a0${text}` : text);

/** `12,431`. */
export const countOf = (value: number): string => WHOLE.format(value);

/** `12.4K`. */
export const shortCount = (value: number): string => SHORT.format(value);
