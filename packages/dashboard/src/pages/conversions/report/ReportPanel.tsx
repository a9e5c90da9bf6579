import { Fragment, useMemo } from 'react';
import { ChartRoom, ChartTools } from '../../../features/charts/ChartHead.tsx';
import { DayChart } from '../../../features/charts/DayChart.tsx';
import { type Figure, perBar, shortCount } from '../../../features/charts/steps.ts';
import { TimeBars } from '../../../features/charts/TimeBars.tsx';
import type { Report } from '../../../features/conversions/api.ts';
import { formatMoneyShort, moneyOf } from '../../../features/conversions/money.ts';
import { fromTo, type Period, rangeLabel } from '../../../format/period.ts';
import { Segments } from '../../../parts/Switch.tsx';
import { useTimeZone } from '../../../parts/Time.tsx';
import { DIMENSION_NAMES } from '../messages.ts';
import { type ConversionSearch, DIMENSIONS, type SearchChange } from '../search.ts';
import type { Currencies } from './currencies.ts';
import { withGoneRows } from './gone.ts';
import { canChooseBars, hourBars, hourBefore, isByHour, shapeHours } from './hours.ts';
import { ReportTable } from './ReportTable.tsx';
import { addFigures, figure, pointsOf, rowsBy, seriesOf, shapeSeries, withEarlier } from './series.ts';

interface ReportPanelProps {
  report: Report;
  period: Period;
  /** Today, in the property's time zone. */
  today: string;
  search: ConversionSearch;
  currencies: Currencies;
  /** The report is of the previous choice, while the new one loads. */
  stale: boolean;
  onChange: (change: SearchChange) => void;
}

export function ReportPanel({
  report,
  period,
  today,
  search,
  currencies,
  stale,
  onChange,
}: ReportPanelProps) {
  const { by = 'channel', model = 'last_click', measure = 'value' } = search;
  const { comparison } = report;
  // Without values only the number can be drawn.
  const drawn = measure === 'value' ? currencies.chosen : null;
  const timeZone = useTimeZone() ?? 'UTC';
  // While the answer of another choice is shown, there are none.
  const hours = isByHour(period, search) ? report.hours : null;
  const { shaped, before } = useMemo(() => {
    if (hours !== null) return shapeHours(hours, comparison?.hours ?? null, drawn);
    const shaped = shapeSeries({
      ...{ points: report.series, from: period.from, days: period.days, currency: drawn },
    });
    const { series: points, period: of } = comparison ?? { series: null, period: null };
    const earlier = points === null || of.previous === null ? null : { ...of.previous, points };
    return withEarlier(shaped, earlier, drawn);
  }, [report.series, hours, comparison, period.from, period.days, drawn]);
  // As the chart: largest first in what is measured.
  const rows = useMemo(
    () => withGoneRows(rowsBy(report.rows, drawn), comparison?.rows ?? []),
    [report.rows, comparison, drawn],
  );
  const points = useMemo(() => pointsOf(shaped, today), [shaped, today]);
  const series = seriesOf(shaped.lines, by);
  const money = moneyOf(report.rows.flatMap(({ values, refunds }) => [...values, ...refunds]));
  const chart = {
    title: drawn === null ? 'Conversions' : `Value in ${drawn}`,
    series,
    height: 210,
    format: (value: Figure) => figure(value, drawn, money),
    add: addFigures,
    tick: (value: number) =>
      drawn === null ? shortCount(value) : formatMoneyShort({ value: String(value), currency: drawn }),
  };
  return (
    <ChartRoom>
      <section className="card panel report" aria-label={`By ${by}`} aria-busy={stale} data-stale={stale}>
        <header className="report-head">
          <h2>
            {drawn === null ? 'Conversions' : 'Value'} {hours === null ? perBar(points) : 'per hour'}
          </h2>
          <div className="report-measure">
            <Segments
              legend="Measured in"
              value={drawn === null ? 'count' : 'value'}
              options={[
                ['value', 'Value'],
                ['count', 'Number'],
              ]}
              onChoose={(chosen) => onChange({ measure: chosen === 'value' ? undefined : chosen })}
            />
            {drawn !== null && currencies.all.length > 1 && (
              <select
                className="input select currency"
                aria-label="Currency"
                value={drawn}
                onChange={(event) => onChange({ currency: event.target.value })}
              >
                {currencies.all.map((code) => (
                  <option key={code}>{code}</option>
                ))}
              </select>
            )}
          </div>
          {canChooseBars(period) && (
            <Segments
              legend="Bars"
              value={search.bars ?? 'days'}
              options={[
                ['hours', 'Hours'],
                ['days', 'Days'],
              ]}
              onChoose={(chosen) => onChange({ bars: chosen === 'hours' ? chosen : undefined })}
            />
          )}
          <Segments
            legend="Grouped by"
            value={by}
            options={DIMENSIONS.map((name) => [name, DIMENSION_NAMES[name]] as const)}
            onChoose={(chosen) => onChange({ by: chosen === 'channel' ? undefined : chosen })}
          />
          <ChartTools />
        </header>
        {measure === 'value' && drawn === null && (
          <p className="aside">No conversion in this period has a value, so the chart shows their number.</p>
        )}
        {shaped.lines.length === 0 ? (
          <p className="chart-none">No data for this choice.</p>
        ) : (
          // A chart of its own for each grouping, so that the selected series is reset.
          <Fragment key={by}>
            {hours === null ? (
              <DayChart
                {...chart}
                points={points}
                before={before}
                onNarrow={(from, to) => onChange(fromTo(from, to))}
              />
            ) : (
              <TimeBars
                {...chart}
                unit="hour"
                bars={hourBars(shaped, timeZone, Date.now())}
                before={hourBefore(before, timeZone)}
                beforeName={comparison?.period.previous ? rangeLabel(comparison.period.previous) : ''}
              />
            )}
          </Fragment>
        )}
        {report.cut && (
          <p className="aside">Only the newest 250,000 conversions of this period were counted.</p>
        )}
        <ReportTable
          report={{ ...report, rows }}
          by={by}
          model={model}
          currencies={{ ...currencies, chosen: drawn }}
          paints={new Map(series.filter(({ paint }) => paint !== 'rest').map((one) => [one.key, one.paint]))}
          money={money}
          onFilter={onChange}
        />
      </section>
    </ChartRoom>
  );
}
