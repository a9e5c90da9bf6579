import { ChartRoom, ChartTools } from '../../features/charts/ChartHead.tsx';
import { DayBars } from '../../features/charts/DayBars.tsx';
import { barLabel } from '../../features/charts/labels.ts';
import { type Bar, isByWeek, type Series } from '../../features/charts/steps.ts';
import { TimeBars } from '../../features/charts/TimeBars.tsx';
import type { ReportAnswer } from '../../features/reports/api.ts';
import { VERDICT_SERIES } from '../../features/reports/figures.ts';
import type { VisitChange } from '../../features/visits/search.ts';
import { fromTo } from '../../format/period.ts';
import { dayIn } from '../../format/time.ts';

export type VisitCounts = ReportAnswer<'visits/counts'>;

/** What a bar stands for: many days are drawn as weeks. */
export const stepOf = ({ step, series }: Pick<VisitCounts, 'step' | 'series'>): string =>
  step === 'day' && isByWeek(series) ? 'week' : step;

/** @param classes of the filter, with commas between; undefined: all but samples and tests */
const seriesOf = (classes: string | undefined): readonly Series[] => [
  ...VERDICT_SERIES,
  {
    key: 'people',
    name: classes?.split(',').includes('sample') ? 'AI referrals and samples' : 'AI referrals',
    paint: 'ai_referral',
  },
  { key: 'tests', name: 'Tests', paint: 'people' },
];
const HEIGHT = 132;

interface HistogramProps {
  counts: VisitCounts;
  /** The classes that are counted, as the filter has them. */
  classes: string | undefined;
  timeZone: string;
  onChange: (change: VisitChange) => void;
}

/** Visits over time by identity. A click or a drag narrows the time to its bars. */
export function Histogram(props: HistogramProps) {
  const { counts, classes } = props;
  // Where a filter leaves one of them, there is nothing to tell apart.
  const occurring = seriesOf(classes).filter(({ key }) =>
    counts.series.some((bar) => Number(bar[key as keyof typeof bar]) > 0),
  );
  return (
    <ChartRoom>
      <header className="panel-head chart-head">
        <h2>{titleOf(occurring, stepOf(counts))}</h2>
        <ChartTools />
      </header>
      <Chart {...props} series={occurring} />
    </ChartRoom>
  );
}

/** `Visits per day, by identity`; of one series alone, `Spoofed visits per day`. */
function titleOf(series: readonly Series[], step: string): string {
  const [only] = series;
  if (series.length !== 1 || only === undefined) return `Visits per ${step}, by identity`;
  // Those of people are named by what they are; an identity is one of bots.
  return VERDICT_SERIES.includes(only) ? `${only.name} visits per ${step}` : `${only.name} per ${step}`;
}

function Chart({
  counts: { step, series },
  series: drawn,
  timeZone,
  onChange,
}: HistogramProps & { series: readonly Series[] }) {
  const now = Date.now();
  const growing = ({ at, until }: VisitCounts['series'][number]) =>
    Date.parse(at) <= now && Date.parse(until) > now;
  const chart = { title: 'Visits', series: drawn, height: HEIGHT };
  if (step === 'day')
    return (
      <DayBars
        {...chart}
        points={series.map((bar) => ({
          day: dayIn(timeZone, Date.parse(bar.at)),
          partial: growing(bar),
          values: valuesOf(bar),
        }))}
        onNarrow={(from, to) => onChange({ ...fromTo(from, to), since: undefined, until: undefined })}
      />
    );
  const days = new Set(series.map(({ at }) => dayIn(timeZone, Date.parse(at))));
  const bars = series.map(
    (bar): Bar => ({
      day: bar.at,
      last: bar.until,
      label: barLabel(bar.at, timeZone, days.size === 1),
      partial: growing(bar),
      values: valuesOf(bar),
    }),
  );
  return (
    <TimeBars
      {...chart}
      bars={bars}
      unit={step}
      onNarrow={(since, until) => {
        const [first, last] = [dayIn(timeZone, Date.parse(since)), dayIn(timeZone, Date.parse(until) - 1)];
        onChange({ ...fromTo(first, last), since, until });
      }}
    />
  );
}

const valuesOf = ({ verified, unknown, spoofed, people, tests }: VisitCounts['series'][number]) => ({
  ...{ verified, unknown, spoofed, people, tests },
});
