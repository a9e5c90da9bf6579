import { Term } from '../glossary/Term.tsx';
import { ChartFiles } from './ChartFiles.tsx';
import { DayBars } from './DayBars.tsx';
import { FiguresTable, tableOf } from './FiguresTable.tsx';
import { Swatch } from './Legend.tsx';
import { SplitBar } from './SplitBar.tsx';
import { barsOf, countOf, type DayChartProps, signed } from './steps.ts';

/** A period as one bar per day; a single day as its parts. */
export function DayChart(props: DayChartProps) {
  return props.points.length === 1 ? <OneDay {...props} /> : <DayBars {...props} />;
}

/** A single bar would say nothing, so it is drawn horizontally with its parts named. */
function OneDay({ title, points, series, format = countOf, also = [] }: DayChartProps) {
  const bars = barsOf(points);
  const values = points[0]?.values ?? {};
  const parts = series.flatMap((one) =>
    (values[one.key] ?? 0) > 0 ? [{ ...one, value: values[one.key] ?? 0 }] : [],
  );
  return (
    <figure className="day-chart">
      <SplitBar wide width={1_000} height={14} parts={parts} />
      <ul className="chart-legend-items" aria-label={title}>
        {parts.map(({ key, name, paint, term, value }) => (
          <li key={key} className="chart-legend-item">
            <Swatch paint={paint} />
            {term === undefined ? name : <Term name={term}>{name}</Term>}{' '}
            <span className="number quiet">{signed(format(value), points[0]?.estimated?.[key])}</span>
          </li>
        ))}
      </ul>
      <div className="chart-foot">
        <FiguresTable title={title} unit="day" bars={bars} series={series} also={also} format={format} />
        <ChartFiles title={`${title} per day`} table={() => tableOf({ unit: 'day', bars, series, also })} />
      </div>
    </figure>
  );
}
