import { Term } from '../glossary/Term.tsx';
import { ChartFiles } from './ChartFiles.tsx';
import { ChartFoot } from './ChartFoot.tsx';
import { ChartData } from './ChartHead.tsx';
import { DayBars } from './DayBars.tsx';
import { FiguresTable, tableOf } from './FiguresTable.tsx';
import { BeforeEntry, Swatch } from './Legend.tsx';
import { addNumbers, barsOf, beforeBarsOf, beforeSum, countOf, type DayChartProps, signed } from './steps.ts';

/** A period as one bar per day; a single day as its figures. */
export function DayChart(props: DayChartProps) {
  return props.points.length === 1 ? <OneDay {...props} /> : <DayBars {...props} />;
}

/** A single bar would say nothing: the parts of the day are named with their figures. */
function OneDay({
  title,
  points,
  series,
  format = countOf,
  add = addNumbers,
  also = [],
  before,
}: DayChartProps) {
  const bars = barsOf(points);
  const compared = before ? beforeBarsOf(before, points) : [];
  const [day] = compared;
  const total =
    day === undefined
      ? null
      : beforeSum(
          day,
          series.map(({ key }) => key),
          true,
          add,
        );
  const values = points[0]?.values ?? {};
  const parts = series.flatMap((one) => {
    const figure = values[one.key] ?? 0;
    return Number(figure) > 0 ? [{ ...one, figure }] : [];
  });
  return (
    <figure className="day-chart">
      <ChartFoot
        legend={
          <ul className="chart-legend-items" aria-label={title}>
            {parts.map(({ key, name, paint, term, figure }) => (
              <li key={key} className="chart-legend-item">
                <Swatch paint={paint} />
                {term === undefined ? name : <Term name={term}>{name}</Term>}{' '}
                <span className="number quiet">{signed(format(figure), points[0]?.estimated?.[key])}</span>
              </li>
            ))}
            {day !== undefined && total !== null && (
              <li>
                <BeforeEntry name={day.label} total={format(total)} isDrawn={false} />
              </li>
            )}
          </ul>
        }
      />
      <ChartData
        files={
          <ChartFiles
            title={`${title} per day`}
            table={() => tableOf({ unit: 'day', bars, before: compared, series, also, add })}
          />
        }
      >
        <FiguresTable {...{ title, bars, series, also, format, add }} unit="day" before={compared} />
      </ChartData>
    </figure>
  );
}
