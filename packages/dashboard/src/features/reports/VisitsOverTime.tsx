import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { ChartPanel } from '../charts/ChartHead.tsx';
import { DayChart } from '../charts/DayChart.tsx';
import { type Point, perBar, type Series } from '../charts/steps.ts';
import { INTENTS, type ReportAnswer } from './api.ts';
import { beforeOf, INTENT_SERIES, pointsOf, VERDICT_SERIES } from './figures.ts';
import { BarsChoice, HoursOrDays, useHourBars } from './HoursOrDays.tsx';
import { barsIn } from './hours.ts';
import type { ReportAddress } from './useReportSearch.ts';

/** Below a chart, where nothing else of the page says so. */
export const WITH_SPOOFED = 'Includes spoofed visits';

const DRAWN: Readonly<Record<'intent' | 'identity', readonly Series[]>> = {
  intent: INTENT_SERIES,
  identity: VERDICT_SERIES,
};
const KEYS = { intent: INTENTS, identity: ['verified', 'unknown', 'spoofed'] } as const;

type Key = (typeof KEYS)[keyof typeof KEYS][number];

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

/** Visits of AI bots per week, day or hour, with the period that they are compared with as a line. */
export function VisitsOverTime({
  label,
  what = 'Visits',
  suffix = '',
  property,
  address,
  answer,
  by,
  parts,
  height = 190,
  isTotalled = false,
  children,
}: VisitsOverTimeProps) {
  const { search } = address;
  const byTime = useHourBars(property, address);
  const byHour = parts === undefined && byTime.isDrawn;
  // The bars are what the figures above them count, also by identity. A filter for spoofed visits counts nothing else.
  const isCounted = answer.population === 'all' || search.verified === 'false';
  const drawn = DRAWN[by].filter(({ key }) => isCounted || key !== 'spoofed');
  const [only, ...others] = drawn.filter((one) =>
    answer.series.some((day) => Number(day[one.key as Key]) > 0),
  );
  const isAlone = parts === undefined && by === 'identity' && only !== undefined && others.length === 0;
  const chart = { title: 'AI bot visits', series: parts?.series ?? drawn, height, isTotalled };
  return (
    <ChartPanel
      label={label}
      className="over-time"
      head={
        <>
          <h2>
            {what} {byHour ? 'per hour' : perBar(answer.series)}
            {!isAlone && suffix}
          </h2>
          {parts === undefined && <BarsChoice address={address} />}
          {children}
        </>
      }
    >
      <div className="over-time-body">
        {parts === undefined ? (
          <HoursOrDays of={byTime} timeZone={property.time_zone} keys={KEYS[by]} chart={chart}>
            <DayChart
              {...chart}
              points={pointsOf(answer, KEYS[by])}
              before={beforeOf(answer.previous_series)}
              onNarrow={address.narrow}
            />
          </HoursOrDays>
        ) : (
          <DayChart
            {...chart}
            points={parts.points}
            before={totalsBefore(answer)}
            onNarrow={address.narrow}
          />
        )}
      </div>
    </ChartPanel>
  );
}

/** What the days before add up to, where they are not told apart. */
const totalsBefore = ({ previous_series: days }: Pick<ReportAnswer<'bots'>, 'previous_series'>) =>
  days?.map(({ day, hits }) => ({ day, values: { total: hits } }));
