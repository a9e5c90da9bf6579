import type { ChartTable } from './files.ts';
import {
  type Add,
  addNumbers,
  type Bar,
  type BarUnit,
  type BeforeBar,
  beforeSum,
  type Figure,
  signed,
} from './steps.ts';

interface Column {
  readonly key: string;
  readonly name: string;
}

interface FiguresTableProps {
  title: string;
  unit: BarUnit;
  bars: readonly Bar[];
  before?: readonly BeforeBar[];
  series: readonly Column[];
  /** Columns before the series; the sum leaves them out. */
  also: readonly Column[];
  format: (value: Figure) => string;
  add?: Add;
}

const UNITS: Readonly<Record<BarUnit, string>> = { minute: 'Minute', hour: 'Hour', day: 'Day', week: 'Week' };

/** The chart's figures as a table, for screen readers and for exact values. Empty bars are left out. */
export function FiguresTable({
  title,
  unit,
  bars,
  before = [],
  series,
  also,
  format,
  add = addNumbers,
}: FiguresTableProps) {
  const columns = [...also, ...series];
  const sumOf = ({ values }: Bar) => add(series.map(({ key }) => values[key] ?? 0));
  const estimatedOf = ({ estimated = {} }: Bar) =>
    series.reduce((sum, { key }) => sum + (estimated[key] ?? 0), 0);
  const keys = series.map(({ key }) => key);
  const beforeOf = (bar: Bar) => {
    const compared = before[bars.indexOf(bar)];
    const value = compared === undefined ? null : beforeSum(compared, keys, true, add);
    return compared === undefined || value === null ? null : { label: compared.label, value };
  };
  const isEmpty = (bar: Bar) =>
    columns.every(({ key }) => Number(bar.values[key] ?? 0) === 0) && Number(beforeOf(bar)?.value ?? 0) === 0;
  const told = (bar: Bar, text: string) => (bar.isAhead === true ? '–' : text);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="chart-figures-box" aria-label={`Figures: ${title}`} tabIndex={0}>
      <table className="table" aria-label={`${title}, by ${unit}`}>
        <thead>
          <tr>
            <th scope="col">{UNITS[unit]}</th>
            {columns.map(({ key, name }) => (
              <th key={key} scope="col" className="cell-figure">
                {name}
              </th>
            ))}
            {series.length > 1 && (
              <th scope="col" className="cell-figure">
                Sum
              </th>
            )}
            {before.length > 0 && (
              <th scope="col" className="cell-figure">
                Compared with
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {bars
            .filter((bar) => !isEmpty(bar))
            .map((bar) => (
              <tr key={bar.day}>
                <th scope="row">
                  {bar.label}
                  {bar.partial && ' (so far)'}
                </th>
                {columns.map(({ key }) => (
                  <td key={key} className="cell-figure">
                    {told(bar, signed(format(bar.values[key] ?? 0), bar.estimated?.[key]))}
                  </td>
                ))}
                {series.length > 1 && (
                  <td className="cell-figure">{told(bar, signed(format(sumOf(bar)), estimatedOf(bar)))}</td>
                )}
                {before.length > 0 && <BeforeCell before={beforeOf(bar)} format={format} />}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

/** The same as a file: figures as they are, bars without figures included, but none that has not begun. */
export function tableOf({
  unit,
  bars,
  before = [],
  series,
  also,
  add = addNumbers,
}: Omit<FiguresTableProps, 'title' | 'format'>): ChartTable {
  const columns = [...also, ...series];
  const keys = series.map(({ key }) => key);
  return {
    head: [
      UNITS[unit],
      ...columns.map(({ name }) => name),
      ...(series.length > 1 ? ['Sum'] : []),
      ...(before.length > 0 ? ['Compared with', 'Figure compared with'] : []),
    ],
    rows: bars
      .filter(({ isAhead }) => isAhead !== true)
      .map((bar) => {
        const compared = before[bars.indexOf(bar)];
        const value = compared === undefined ? null : beforeSum(compared, keys, true, add);
        return [
          bar.day,
          ...columns.map(({ key }) => bar.values[key] ?? 0),
          ...(series.length > 1 ? [add(keys.map((key) => bar.values[key] ?? 0))] : []),
          ...(before.length > 0 ? [compared?.label ?? '', value ?? ''] : []),
        ];
      }),
  };
}

interface BeforeCellProps {
  before: { readonly label: string; readonly value: Figure } | null;
  format: (value: Figure) => string;
}

function BeforeCell({ before, format }: BeforeCellProps) {
  if (before === null) return <td className="cell-figure">–</td>;
  return (
    <td className="cell-figure">
      {format(before.value)} <span className="quiet">{before.label}</span>
    </td>
  );
}
