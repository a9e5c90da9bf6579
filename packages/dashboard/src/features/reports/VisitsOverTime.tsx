import { HOUR_MS } from '@ghostlight/core/time';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { rangeLabel } from '../../format/period.ts';
import { Segments } from '../../parts/Switch.tsx';
import { DayChart } from '../charts/DayChart.tsx';
import { barLabel } from '../charts/labels.ts';
import { type Bar, type BeforeBar, perBar, type Series } from '../charts/steps.ts';
import { TimeBars } from '../charts/TimeBars.tsx';
import { INTENTS, type ReportAnswer, reportQuery } from './api.ts';
import { beforeOf, INTENT_SERIES, pointsOf, VERDICT_SERIES } from './figures.ts';
import type { ReportAddress } from './useReportSearch.ts';

/** The longest period that is drawn by the hour, in days. */
const MOST_DAYS_OF_HOURS = 7;
const BARS = [
  ['hours', 'Hours'],
  ['days', 'Days'],
] as const;

/** Below a chart. */
export const WITH_SPOOFED = 'Spoofed visits counted';

const DRAWN: Readonly<Record<'intent' | 'identity', readonly Series[]>> = {
  intent: INTENT_SERIES,
  identity: VERDICT_SERIES,
};
const KEYS = { intent: INTENTS, identity: ['verified', 'unknown', 'spoofed'] } as const;

interface VisitsOverTimeProps {
  label: string;
  /** What the heading says is counted. */
  what?: string;
  /** How the visits are told apart, in the heading: `, by intent`. */
  suffix?: string;
  property: Property;
  address: ReportAddress;
  answer: Pick<ReportAnswer<'bots'>, 'series' | 'previous_series' | 'population' | 'time_zone'>;
  by: 'intent' | 'identity';
  height?: number;
  /** Beside the heading. */
  children?: ReactNode;
}

/** What its bars are; left out of the address for what fits the period. */
function barsIn({ period, search }: Pick<ReportAddress, 'period' | 'search'>): 'hours' | 'days' {
  if (period.days > MOST_DAYS_OF_HOURS) return 'days';
  // A single day has one bar of days, which there is no use in choosing.
  return period.days === 1 ? 'hours' : (search.bars ?? 'days');
}

/** Its heading, as far as the address tells it. */
export const overTime = (
  address: Pick<ReportAddress, 'period' | 'search'>,
  what = 'Visits',
  suffix = '',
): string =>
  `${what} ${barsIn(address) === 'hours' ? 'per hour' : perBar({ length: address.period.days })}${suffix}`;

/** Visits of AI bots per week, day or hour, with the period that they are compared with as a dashed line. */
export function VisitsOverTime({
  label,
  what = 'Visits',
  suffix = '',
  property,
  address,
  answer,
  by,
  height = 190,
  children,
}: VisitsOverTimeProps) {
  const { period, search, change, compared } = address;
  const canHours = period.days > 1 && period.days <= MOST_DAYS_OF_HOURS;
  const bars = barsIn(address);
  const { group: _, ...query } = compared;
  const hours = useQuery({ ...reportQuery(property.id, 'hours', query), enabled: bars === 'hours' });
  const byHour = bars === 'hours' && hours.data?.series !== null;
  // By identity they are a series of their own, also where no other figure has them.
  const without = by === 'identity' ? 'Spoofed visits shown, not counted' : 'Spoofed visits not counted';
  const note = answer.population === 'all' ? WITH_SPOOFED : without;
  const chart = { title: 'AI bot visits', note, series: DRAWN[by], height };
  return (
    <section className="card panel" aria-label={label}>
      <header className="panel-head">
        <h2>
          {what} {byHour ? 'per hour' : perBar(answer.series)}
          {suffix}
        </h2>
        {canHours && (
          <Segments
            legend="Bars"
            value={bars}
            options={BARS}
            onChoose={(chosen) => change({ bars: chosen, n: search.n })}
          />
        )}
        {children}
      </header>
      {!byHour ? (
        <>
          <DayChart
            {...chart}
            points={pointsOf(answer, KEYS[by])}
            before={beforeOf(answer.previous_series)}
            onNarrow={address.narrow}
          />
          {bars === 'hours' && (
            <p className="quiet">
              Hours of this period are no longer kept, only days
              {hours.data === undefined ? '' : `: single visits are kept since ${hours.data.kept_since}`}.
            </p>
          )}
        </>
      ) : hours.data === undefined ? (
        <div
          className="chart-wait"
          style={{ height: height + WAIT }}
          role="status"
          aria-label="Loading hours"
        />
      ) : (
        <TimeBars
          {...chart}
          unit="hour"
          bars={hourBars(hours.data, KEYS[by], property.time_zone)}
          before={hourBefore(hours.data, property.time_zone)}
          beforeName={beforeName(hours.data, property.time_zone)}
        />
      )}
    </section>
  );
}

/** The line below a chart, in pixels. */
const WAIT = 34;

type Hours = ReportAnswer<'hours'>;

function hourBars(
  { series, previous_series: before }: Hours,
  keys: readonly (keyof NonNullable<Hours['series']>[number])[],
  timeZone: string,
): Bar[] {
  const known = series ?? [];
  const spans = [...known, ...ahead(known, before?.length ?? 0)];
  const isOneDay = spans.length <= 25;
  return spans.map((span, index) => {
    const hour = known[index];
    return {
      day: span.at,
      last: span.until,
      label: barLabel(span.at, timeZone, isOneDay),
      partial: hour?.partial ?? false,
      isAhead: hour === undefined,
      values: Object.fromEntries(keys.map((key) => [key, Number(hour?.[key] ?? 0)])),
      estimated: hour?.estimates ?? {},
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

const hourBefore = (hours: Hours, timeZone: string): BeforeBar[] =>
  comparedHours(hours).map(({ at, until: _, ...values }) => ({
    label: barLabel(at, timeZone, false),
    values: { ...values, total: values.hits },
  }));

/** The hours compared with, as far as those of the period are over: more of them would make a running day look like a fall. */
function comparedHours({ series, previous_series: before }: Hours) {
  const over = (series ?? []).filter(({ partial }) => !partial).length;
  return (before ?? []).slice(0, over);
}

/** `22 Nov 2026`; of a running day `22 Nov 2026, until 20:00`. */
function beforeName(hours: Hours, timeZone: string): string {
  if (hours.compared === null) return '';
  const compared = comparedHours(hours);
  const last = compared.at(-1);
  const isWhole = last === undefined || compared.length === hours.previous_series?.length;
  return `${rangeLabel(hours.compared)}${isWhole ? '' : `, until ${barLabel(last.until, timeZone, true)}`}`;
}
