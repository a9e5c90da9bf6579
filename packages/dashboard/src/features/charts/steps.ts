/** Days as the bars of a chart: one bar per day, or per week where days would be too thin. */
import { rangeLabel } from '../../format/period.ts';
import { dayLabel } from '../../format/time.ts';

/** The most bars that are readable on a phone. */
const MOST_DAYS = 100;
const WEEK = 7;

/** A figure: a number, or decimal text where a number would lose digits. Charts draw it as a number, and add it up and write it as it is. */
export type Figure = number | string;
/** By the key of a series. */
type Figures = Readonly<Record<string, Figure>>;
/** How figures are added up. */
export type Add = (figures: readonly Figure[]) => Figure;

export const addNumbers: Add = (figures) => figures.reduce<number>((sum, figure) => sum + Number(figure), 0);

export interface Point {
  readonly day: string;
  readonly partial: boolean;
  readonly values: Figures;
  /** The part of each value that is estimated from samples; absent: exact. */
  readonly estimated?: Readonly<Record<string, number>>;
}

export interface Series {
  readonly key: string;
  readonly name: string;
  /** The name of its colour in `charts.css`. */
  readonly paint: string;
  /** Its entry in the glossary, which the legend shows on hover and on focus. */
  readonly term?: string;
}

/** A day (or an hour) of those that a chart is compared with. */
export interface Before {
  readonly day: string;
  /** By the keys of the series; of `total` alone where they are not told apart. */
  readonly values: Figures;
}

/** The input of a chart over time. */
export interface ChartProps {
  /** What is counted: `AI bot hits`. */
  title: string;
  /** Below the chart: what the figures have, or leave out, where nothing else of the page says so. */
  note?: string | undefined;
  /** Stacking order, the first at the bottom. */
  series: readonly Series[];
  height?: number;
  /** Formats a figure; as a count when absent. */
  format?: (value: Figure) => string;
  /** For figures that are decimal text; as numbers when absent. */
  add?: Add;
  /** Formats a figure at a grid line, short. */
  tick?: (value: number) => string;
  /** Values that only the table shows, before the series. */
  also?: readonly { key: string; name: string }[];
  /** The page says the totals of the series beside the chart: the legend names them only. */
  isTotalled?: boolean;
  /** Opens bars: `day` of the first, `last` of the last. */
  onNarrow?: ((from: string, to: string) => void) | undefined;
}

/** Of a chart of days. */
export interface DayChartProps extends ChartProps {
  /** One for each day of the period, oldest first. */
  points: readonly Point[];
  /** The days compared with: the first belongs to the first point. null: nothing is compared, or it is not known. */
  before?: readonly Before[] | null | undefined;
}

export type BarUnit = 'minute' | 'hour' | 'day' | 'week';

export interface Bar extends Point {
  /** `21 Nov`, `Week of 16 Nov`; with the year when the chart spans several. */
  readonly label: string;
  /** Its last day; `day` is its first. */
  readonly last: string;
  /** It has not begun: there is no figure yet. */
  readonly isAhead?: boolean;
}

/** A bar of the period compared with, drawn at the bar that it belongs to. */
export interface BeforeBar {
  readonly label: string;
  /** Of a single day: its date, which tells its weekday. */
  readonly day?: string;
  readonly values: Figures;
  /** What it belongs to is not over, or has not begun: it is drawn, and not added up. */
  readonly isBeyond?: boolean;
}

/** Below so many visits, a percentage is a matter of single ones. */
export const LEAST_COMPARED = 20;

/** What a bar of the days before adds up to, of the series that are drawn; null: it doesn't tell them apart. */
export function beforeSum(
  { values }: BeforeBar,
  keys: readonly string[],
  isAll: boolean,
  add: Add = addNumbers,
): Figure | null {
  if (keys.every((key) => key in values)) return add(keys.map((key) => values[key] ?? 0));
  return isAll ? (values['total'] ?? null) : null;
}

/** The height at which a figure is drawn; null: nothing is known. */
export const heightOf = (figure: Figure | null): number | null => (figure === null ? null : Number(figure));

/** The days before as bars, as many days in each as the chart's own. @param points of the chart */
export function beforeBarsOf(
  before: readonly Before[],
  points: readonly unknown[],
  add: Add = addNumbers,
): BeforeBar[] {
  const size = isByWeek(points) ? WEEK : 1;
  const bars: BeforeBar[] = [];
  // A longer month has days that no bar here stands for.
  const drawn = before.slice(0, points.length);
  for (let start = 0; start < drawn.length; start += size) {
    const days = drawn.slice(start, start + size);
    const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
    // A week that is not compared as a whole would look like a fall.
    if (days.length < size && start > 0) break;
    bars.push({
      label: rangeLabel({ from: first, to: last }),
      ...(size === 1 ? { day: first } : {}),
      values: added(
        days.map(({ values }) => values),
        add,
      ),
    });
  }
  return bars;
}

/** Whether this many days are drawn as weeks. @param points one per day */
export const isByWeek = (points: { readonly length: number }): boolean => points.length > MOST_DAYS;

/** The unit of a bar, for titles: `Visits per week`. */
export const perBar = (points: { readonly length: number }): string =>
  `per ${isByWeek(points) ? 'week' : 'day'}`;

/** @param points one per day, oldest first, without gaps */
export function barsOf(points: readonly Point[], add: Add = addNumbers): Bar[] {
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
      values: added(
        days.map(({ values }) => values),
        add,
      ),
      estimated: numbered(days.map(({ estimated = {} }) => estimated)),
    });
  }
  return bars;
}

function added(of: readonly Figures[], add: Add): Record<string, Figure> {
  const keys = new Set(of.flatMap((values) => Object.keys(values)));
  return Object.fromEntries([...keys].map((key) => [key, add(of.map((values) => values[key] ?? 0))]));
}

const numbered = (of: readonly Figures[]): Record<string, number> =>
  Object.fromEntries(Object.entries(added(of, addNumbers)).map(([key, sum]) => [key, Number(sum)]));

/**
 * Which bars get a date below: evenly spaced, always including the last.
 * @param each pixels that one needs
 */
export function labelled(count: number, room: number, each = 84): ReadonlySet<number> {
  const most = Math.max(2, Math.min(count, Math.floor(room / each)));
  const every = Math.max(1, Math.ceil((count - 1) / Math.max(1, most - 1)));
  const picked = new Set<number>();
  for (let index = count - 1; index >= 0; index -= every) picked.add(index);
  return picked;
}

/** Hours between two times below, so that midnight and noon have one where there is room. */
const HOURS_APART = [1, 2, 3, 6, 12, 24, 48, 96, 168];

/**
 * Which bars of hours get a time below: evenly spaced from the first, which is midnight.
 * @param each pixels that one needs
 */
export function labelledHours(count: number, room: number, each = 84): ReadonlySet<number> {
  const every = HOURS_APART.find((hours) => (room / count) * hours >= each) ?? count;
  const picked = new Set<number>();
  for (let index = 0; index < count; index += every) picked.add(index);
  return picked;
}

/** Number formats of charts. */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `≈ 12,431`: part of the figure is estimated from samples. */
export const signed = (text: string, estimated = 0): string => (estimated > 0 ? `≈\u00a0${text}` : text);

/** `12,431`. */
export const countOf = (value: Figure): string => WHOLE.format(Number(value));

/** `12.4K`. */
export const shortCount = (value: number): string => SHORT.format(value);
