import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { rangeLabel } from '../../format/period.ts';
import { Segments } from '../../parts/Switch.tsx';
import { DayChart } from '../charts/DayChart.tsx';
import { perBar, type Series } from '../charts/steps.ts';
import { TimeBars } from '../charts/TimeBars.tsx';
import { INTENTS, type ReportAnswer } from './api.ts';
import { beforeOf, INTENT_SERIES, pointsOf, VERDICT_SERIES } from './figures.ts';
import { barsIn, comparedUntil, hourBars, hourBefore, MOST_DAYS_OF_HOURS, useHours } from './hours.ts';
import type { ReportAddress } from './useReportSearch.ts';

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

type Key = (typeof KEYS)[keyof typeof KEYS][number];

/** `Verified`, without its sign. */
const wordOf = ({ name }: Series): string => name.replace(/^\S+ /, '');

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
  /** The totals of the series are beside the chart. */
  isTotalled?: boolean;
  /** Beside the heading. */
  children?: ReactNode;
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
  isTotalled = false,
  children,
}: VisitsOverTimeProps) {
  const { period, search, change } = address;
  const canHours = period.days > 1 && period.days <= MOST_DAYS_OF_HOURS;
  const bars = barsIn(address);
  const hours = useHours(property, address);
  const byHour = bars === 'hours' && hours.data?.series !== null;
  // The bars are what the figures above them count, also by identity. A filter for spoofed visits counts nothing else.
  const isCounted = answer.population === 'all' || search.verified === 'false';
  const note = isCounted ? WITH_SPOOFED : 'Spoofed visits not counted';
  const series = DRAWN[by].filter(({ key }) => isCounted || key !== 'spoofed');
  const [only, ...others] = series.filter((one) =>
    answer.series.some((day) => Number(day[one.key as Key]) > 0),
  );
  // One colour tells nothing apart: the heading says which it is.
  const isAlone = by === 'identity' && only !== undefined && others.length === 0;
  const chart = { title: 'AI bot visits', note, series, height, isTotalled };
  return (
    <section className="card panel" aria-label={label}>
      <header className="panel-head">
        <h2>
          {isAlone ? `${wordOf(only)} ${what.toLowerCase()}` : what}{' '}
          {byHour ? 'per hour' : perBar(answer.series)}
          {!isAlone && suffix}
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
              Hourly figures are not available this far back
              {hours.data === undefined ? '' : `: single visits are kept only from ${hours.data.kept_since}`}.
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
          beforeName={hours.data.compared === null ? '' : rangeLabel(hours.data.compared)}
          beforeUntil={comparedUntil(hours.data, property.time_zone)}
        />
      )}
    </section>
  );
}

/** The line below a chart, in pixels. */
const WAIT = 34;
