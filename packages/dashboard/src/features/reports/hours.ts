/** The hours of short periods: as bars, and as what a running day is compared by. */
import { MOST_DAYS_OF_HOURS } from '@ghostlight/core/periods';
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { rangeLabel } from '../../format/period.ts';
import { dayIn, dayLabel } from '../../format/time.ts';
import { barLabel } from '../charts/labels.ts';
import { type Bar, type BeforeBar, LEAST_COMPARED } from '../charts/steps.ts';
import { type ReportAnswer, reportQuery } from './api.ts';
import { countText } from './figures.ts';
import type { ReportAddress } from './useReportSearch.ts';

type Hours = ReportAnswer<'hours'>;
/** The reports of hours. */
type HourReport = 'hours' | 'referrals/hours';
/** What a chart draws of any of them. */
export interface DrawnHours<Hour extends DrawnHour = DrawnHour> {
  readonly kept_since: string;
  readonly series: readonly Hour[] | null;
  readonly compared: { readonly from: string; readonly to: string } | null;
  readonly previous_series: readonly EarlierHour[] | null;
}
/** Its total is `hits` of bots, or `visits` of people. */
interface EarlierHour extends Readonly<Partial<Record<HourFigure | 'visits', number>>> {
  readonly at: string;
  readonly until: string;
}
export interface DrawnHour {
  readonly at: string;
  readonly until: string;
  readonly partial: boolean;
  readonly estimates: Readonly<Record<string, number>>;
}
/** What an hour has of both periods. */
type HourFigure = 'hits' | 'failures' | 'training' | 'search' | 'on_demand' | 'other';
type HoursAddress = Pick<ReportAddress, 'period' | 'search' | 'compared'>;

/** What its bars are; left out of the address for what fits the period. */
export function barsIn({ period, search }: Pick<ReportAddress, 'period' | 'search'>): 'hours' | 'days' {
  if (period.days > MOST_DAYS_OF_HOURS) return 'days';
  // A single day has one bar of days, which there is no use in choosing.
  return period.days === 1 ? 'hours' : (search.bars ?? 'days');
}

/** The hours of a period that is drawn by them; nothing is asked for any other. @param isNext whether they are asked for now */
export function useHours<Report extends HourReport>(
  report: Report,
  propertyId: string,
  address: HoursAddress,
  isNext = true,
) {
  const { group: _, ...query } = address.compared;
  return useQuery({
    ...reportQuery(propertyId, report, query),
    enabled: isNext && barsIn(address) === 'hours',
  });
}

/** Not those of the filters or the property before, which are shown until the new ones come: a change would be of other visits. */
export const hoursNow = ({
  data,
  isPlaceholderData,
}: {
  readonly data: Hours | undefined;
  readonly isPlaceholderData: boolean;
}): Hours | undefined => (isPlaceholderData ? undefined : data);

/** The change of a running day: of its hours that are over. */
export interface HourChange {
  readonly change: number;
  /** The two sums, without the running hour, which the figure has too: `68 vs 104`. */
  readonly pair: string;
  /** For the line below the figure, which counts the running hour too: `68 by 20:00 vs 104 yesterday`. */
  readonly note: string;
  /** Beside others that name the day: `vs 104 by 20:00`. */
  readonly brief: string;
}

/** The changes of a running day, as far as its hours have come. Of any other period there are none: whole days are compared. */
export function useHourChanges(
  property: Pick<Property, 'id' | 'time_zone'>,
  address: HoursAddress,
): (of: HourFigure) => HourChange | null {
  const hours = hoursNow(useHours('hours', property.id, address));
  return (of) =>
    hours === undefined || address.period.days > 1 ? null : hourChange(hours, of, property.time_zone);
}

/** null: the day is over, or the same hours of the other day are not known or have too few visits for a percentage. */
export function hourChange(hours: Hours, of: HourFigure, timeZone: string): HourChange | null {
  const compared = comparedHours(hours);
  const last = compared.at(-1);
  const sum = (spans: readonly Readonly<Record<HourFigure, number>>[]) =>
    spans.reduce((total, span) => total + span[of], 0);
  const before = sum(compared);
  const isRunning = hours.series?.some(({ partial }) => partial) === true;
  if (!isRunning || last === undefined || before < LEAST_COMPARED) return null;
  const now = sum((hours.series ?? []).slice(0, compared.length));
  const change = now / before - 1;
  const brief = `${countText(now)} by\u00a0${barLabel(last.until, timeZone, true)} vs\u00a0${countText(before)}`;
  return {
    change,
    pair: `${countText(now)} vs ${countText(before)}`,
    note: `${brief} ${otherDay(hours, timeZone)}`,
    brief,
  };
}

/** @param keys the figures of an hour that its series are, or what gives them */
/** `yesterday`, or `on 20 Nov`: the day whose hours are compared. */
function otherDay({ series, compared }: Hours, timeZone: string): string {
  const today = dayIn(timeZone, Date.parse(series?.[0]?.at ?? ''));
  const day = compared?.to ?? today;
  return Date.parse(today) - Date.parse(day) === DAY_MS ? 'yesterday' : `on\u00a0${dayLabel(day)}`;
}

export function hourBars<Hour extends DrawnHour>(
  { series, previous_series: before }: DrawnHours<Hour>,
  keys: readonly (keyof Hour)[] | ((hour: Hour) => Pick<Bar, 'values' | 'estimated'>),
  timeZone: string,
): Bar[] {
  const known = series ?? [];
  const spans = [...known, ...ahead(known, before?.length ?? 0)];
  const isOneDay = spans.length <= 25;
  const of =
    typeof keys === 'function'
      ? keys
      : (hour: Hour) => ({
          values: Object.fromEntries(keys.map((key) => [key, Number(hour[key])])),
          estimated: hour.estimates,
        });
  return spans.map((span, index) => {
    const hour = known[index];
    return {
      day: span.at,
      last: span.until,
      label: barLabel(span.at, timeZone, isOneDay),
      partial: hour?.partial ?? false,
      isAhead: hour === undefined,
      ...(hour === undefined ? { values: {} } : of(hour)),
    };
  });
}

/** Hours that have not begun, as far as the days compared with have any. */
function ahead(known: readonly { readonly until: string }[], count: number) {
  const end = Date.parse(known.at(-1)?.until ?? '');
  if (Number.isNaN(end)) return [];
  return Array.from({ length: Math.max(0, count - known.length) }, (_, index) => ({
    at: new Date(end + index * HOUR_MS).toISOString(),
    until: new Date(end + (index + 1) * HOUR_MS).toISOString(),
  }));
}

/** All hours of the days compared with: those after the last that is over are drawn too, which shows what the rest of a day is like. */
export function hourBefore(hours: DrawnHours, timeZone: string): BeforeBar[] {
  const over = comparedHours(hours).length;
  return (hours.previous_series ?? []).map(({ at, until: _, ...values }, index) => ({
    label: barLabel(at, timeZone, false),
    values: { ...values, total: values.hits ?? values.visits ?? 0 },
    isBeyond: index >= over,
  }));
}

/** `Yesterday` beside today, else `22 Nov 2026`: the days that a chart draws beside its own. */
export function beforeLabel({ compared }: Pick<DrawnHours, 'compared'>, timeZone: string): string {
  if (compared === null) return '';
  const yesterday = dayIn(timeZone, Date.now() - DAY_MS);
  return compared.from === yesterday && compared.to === yesterday ? 'Yesterday' : rangeLabel(compared);
}

/** The hours compared with, as far as those of the period are over: more of them would make a running day look like a fall. */
function comparedHours<Before>({
  series,
  previous_series: before,
}: {
  readonly series: DrawnHours['series'];
  readonly previous_series: readonly Before[] | null;
}): readonly Before[] {
  const over = (series ?? []).filter(({ partial }) => !partial).length;
  return (before ?? []).slice(0, over);
}

/** What the hours of a running day are compared with; null: none is over, or nothing is known of the other day. */
export const hoursThan = (hours: DrawnHours, timeZone: string): string | null =>
  comparedHours(hours).length === 0 ? null : beforeName(hours, timeZone);

/** `22 Nov 2026`; of a running day `22 Nov 2026 by 20:00`. */
function beforeName(hours: DrawnHours, timeZone: string): string {
  if (hours.compared === null) return '';
  const until = comparedUntil(hours, timeZone);
  return `${rangeLabel(hours.compared)}${until === undefined ? '' : ` by ${until}`}`;
}

/** `20:00`: the end of the hours that are compared; undefined: the whole days are, or nothing is. */
export function comparedUntil(hours: DrawnHours, timeZone: string): string | undefined {
  const compared = comparedHours(hours);
  const last = compared.at(-1);
  return last === undefined || compared.length === hours.previous_series?.length
    ? undefined
    : barLabel(last.until, timeZone, true);
}
