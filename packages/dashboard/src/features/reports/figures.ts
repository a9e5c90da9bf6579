/** Formats of figures. An estimate is marked with ≈ everywhere. */
import { intentName } from '../../format/names.ts';
import { dayIn } from '../../format/time.ts';
import { type Before, type Point, type Series, signed } from '../charts/steps.ts';
import type { Changed, Day, Estimates } from './api.ts';

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const PERCENT = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const FINE_PERCENT = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 2,
});
const WHOLE_PERCENT = new Intl.NumberFormat('en', { style: 'percent' });
const TICK = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 });

/** `1,204`; `≈ 1,204` where part of it is estimated. */
export function countText(hits: number, estimated = 0): string {
  return signed(WHOLE.format(hits), estimated);
}

/** 4xx and 5xx together, with their estimated part. */
export function failedOf(item: {
  readonly client_errors: number;
  readonly server_errors: number;
  readonly estimates: Estimates;
}): { readonly failed: number; readonly estimated: number } {
  const { client_errors, server_errors, estimates } = item;
  return {
    failed: client_errors + server_errors,
    estimated: (estimates['client_errors'] ?? 0) + (estimates['server_errors'] ?? 0),
  };
}

/** From this share of failed visits on, a list warns: that a single one failed is no news. */
const NOTABLE = 0.05;
export const failsOften = (failed: number, hits: number): boolean => failed >= hits * NOTABLE;

/** `12.3%`; small shares keep two significant digits. One precision per column, so that values can be compared. */
export function shareText(share: number): string {
  const size = Math.abs(share);
  return (size === 0 || size === 1 ? WHOLE_PERCENT : size < 0.01 ? FINE_PERCENT : PERCENT).format(share);
}

const POINTS = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const FINE_POINTS = new Intl.NumberFormat('en', { maximumFractionDigits: 2, signDisplay: 'exceptZero' });
/**
 * `+0.4`: a difference of two shares in percentage points, as precise as the share is written.
 * @param share the later one
 */
export const pointsText = (difference: number, share: number): string =>
  (share < 0.01 ? FINE_POINTS : POINTS).format(difference * 100).replace('-', '−');

/** Visits by identity, as the answer of a report has them. */
interface Verdicts {
  readonly verified: number;
  readonly spoofed: number;
  readonly unknown: number;
}

/** All visits under the name of a bot, spoofed ones among them. */
export const claimedVisits = ({ verified, spoofed, unknown }: Verdicts): number =>
  verified + spoofed + unknown;

/** `30%` at a grid line of a chart. */
export const shareTick = (share: number): string => TICK.format(share);

/**
 * `1,842 vs 1,911`: the sums that a change is made of; undefined: they are not known. How much of the earlier one is estimated is not
 * known: like the later one, it may be.
 */
export function comparedText(of: Changed | undefined): string | undefined {
  if (of?.previous == null) return undefined;
  const { compared_with: now, hits, visits, failures } = of.previous;
  const before = hits ?? visits ?? failures;
  return now === undefined || before === undefined
    ? undefined
    : `${countText(now, of.estimated)} vs ${countText(before, of.estimated)}`;
}

/** What was read: pages, and files separately. */
export interface ReadCounts {
  readonly pages: number;
  readonly files: number;
}

export const pagesText = (pages: number): string => `${countText(pages)} ${pages === 1 ? 'page' : 'pages'}`;
export const filesText = (files: number): string => `${countText(files)} ${files === 1 ? 'file' : 'files'}`;

/** `68 pages and 7 files`; files are omitted when there are none. */
export const readText = ({ pages, files }: ReadCounts): string =>
  files === 0 ? pagesText(pages) : `${pagesText(pages)} and ${filesText(files)}`;

/** The series that several reports draw, stacked from the bottom up: on demand is at the top, where it is easiest to compare. */
export const INTENT_SERIES: readonly Series[] = (['other', 'training', 'search', 'on_demand'] as const).map(
  (intent) => ({
    ...{ key: intent, name: intentName(intent), paint: intent },
    ...(intent === 'other' ? {} : { term: intent.replace('_', '-') }),
  }),
);

export const VERDICT_SERIES: readonly Series[] = [
  { key: 'verified', name: 'Verified', paint: 'verified', term: 'verified' },
  { key: 'unknown', name: 'Unknown', paint: 'unknown', term: 'unknown' },
  { key: 'spoofed', name: 'Spoofed', paint: 'spoofed', term: 'spoofed' },
];

/** What the days of an answer are, and whose. */
interface Days<Day> {
  readonly series: readonly Day[];
  /** IANA name. */
  readonly time_zone: string;
}

/**
 * Whether the day is not over. `partial` of the answer says more: that a day was not counted by night yet, which on a new installation is
 * true of all days, and takes nothing from their figures.
 * @param day `YYYY-MM-DD` @param timeZone of the property @param now epoch milliseconds
 */
export const isUnfinished = (day: string, timeZone: string, now = Date.now()): boolean =>
  day >= dayIn(timeZone, now);

/** The figures of a day that the series are made of. @param now epoch milliseconds */
export function pointsOf<Key extends string>(
  {
    series,
    time_zone: timeZone,
  }: Days<Day & { readonly estimates: Estimates } & Readonly<Record<Key, number>>>,
  keys: readonly Key[],
  now?: number,
): Point[] {
  return series.map((day) => ({
    day: day.day,
    partial: isUnfinished(day.day, timeZone, now),
    values: Object.fromEntries(keys.map((key) => [key, day[key]])),
    estimated: day.estimates,
  }));
}

/** The days that a chart is compared with, from an answer. */
export const beforeOf = (
  days: readonly ({ readonly day: string } & Readonly<Record<string, number | string>>)[] | null,
): Before[] | null =>
  days?.map(({ day, ...values }) => ({
    day,
    values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Number(value)])),
  })) ?? null;
