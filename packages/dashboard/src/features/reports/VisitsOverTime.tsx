import { type ReactNode, useId, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { rangeLabel } from '../../format/period.ts';
import { Segments } from '../../parts/Switch.tsx';
import { ChartPanel } from '../charts/ChartHead.tsx';
import { DayChart } from '../charts/DayChart.tsx';
import { type Point, perBar, type Series } from '../charts/steps.ts';
import { TimeBars } from '../charts/TimeBars.tsx';
import { INTENTS, type ReportAnswer } from './api.ts';
import { beforeOf, INTENT_SERIES, pointsOf, VERDICT_SERIES } from './figures.ts';
import { barsIn, comparedUntil, hourBars, hourBefore, MOST_DAYS_OF_HOURS, useHours } from './hours.ts';
import type { ReportAddress } from './useReportSearch.ts';

const BARS = [
  ['hours', 'Hours'],
  ['days', 'Days'],
] as const;

/** Below a chart, where nothing else of the page says so. */
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
  /** What is drawn instead, by the day: the hours don't tell it apart. */
  parts?: { readonly series: readonly Series[]; readonly points: readonly Point[] } | undefined;
  /** The colour of a single identity, which tells nothing apart; left out: its own. */
  alone?: string | undefined;
  /** Whether a phone folds it away: a list follows, and the page is about that. */
  folds?: boolean;
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
  parts,
  alone,
  folds = false,
  height = 190,
  isTotalled = false,
  children,
}: VisitsOverTimeProps) {
  const { period, search, change } = address;
  const [isOpen, setOpen] = useState(!folds);
  const bodyId = useId();
  const canHours = parts === undefined && period.days > 1 && period.days <= MOST_DAYS_OF_HOURS;
  const bars = barsIn(address);
  const hours = useHours(property, address);
  const byHour = parts === undefined && bars === 'hours' && hours.data?.series !== null;
  // The bars are what the figures above them count, also by identity. A filter for spoofed visits counts nothing else.
  const isCounted = answer.population === 'all' || search.verified === 'false';
  const drawn = DRAWN[by].filter(({ key }) => isCounted || key !== 'spoofed');
  const [only, ...others] = drawn.filter((one) =>
    answer.series.some((day) => Number(day[one.key as Key]) > 0),
  );
  // One colour tells nothing apart: the heading says which it is.
  const isAlone = parts === undefined && by === 'identity' && only !== undefined && others.length === 0;
  const series = isAlone ? [{ ...only, ...(alone === undefined ? {} : { paint: alone }) }] : drawn;
  const chart = { title: 'AI bot visits', series: parts?.series ?? series, height, isTotalled };
  return (
    <ChartPanel
      label={label}
      className="over-time"
      head={
        <>
          <h2>
            {isAlone ? `${wordOf(only)} ${what.toLowerCase()}` : what}{' '}
            {byHour ? 'per hour' : perBar(answer.series)}
            {!isAlone && suffix}
          </h2>
          {folds && (
            <button
              type="button"
              className="button button-small over-time-fold"
              aria-expanded={isOpen}
              aria-controls={bodyId}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide chart' : 'Show chart'}
            </button>
          )}
          {canHours && (
            <Segments
              legend="Bars"
              value={bars}
              options={BARS}
              onChoose={(chosen) => change({ bars: chosen, n: search.n })}
            />
          )}
          {children}
        </>
      }
    >
      <div id={bodyId} className="over-time-body" data-folded={!isOpen}>
        {!byHour ? (
          <>
            <DayChart
              {...chart}
              points={parts?.points ?? pointsOf(answer, KEYS[by])}
              before={parts === undefined ? beforeOf(answer.previous_series) : totalsBefore(answer)}
              onNarrow={address.narrow}
            />
            {bars === 'hours' && parts === undefined && (
              <p className="quiet">
                Hourly figures are not available this far back
                {hours.data === undefined
                  ? ''
                  : `: single visits are kept only from ${hours.data.kept_since}`}
                .
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
      </div>
    </ChartPanel>
  );
}

/** What the days before add up to, where they are not told apart. */
const totalsBefore = ({ previous_series: days }: Pick<ReportAnswer<'bots'>, 'previous_series'>) =>
  days?.map(({ day, hits }) => ({ day, values: { total: hits } }));

/** The line below a chart, in pixels. */
const WAIT = 30;
