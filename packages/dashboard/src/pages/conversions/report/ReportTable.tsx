import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import type { Dimension, Report, ReportRow } from '../../../features/conversions/api.ts';
import { type Amount, formatCount, formatMoney } from '../../../features/conversions/money.ts';
import { DIMENSION_NAMES, keyName } from '../messages.ts';
import type { SearchChange } from '../search.ts';
import { ratio } from './series.ts';

interface ReportTableProps {
  report: Report;
  by: Dimension;
  onFilter: (change: SearchChange) => void;
}

const SHARE_WIDTH = 64;

/** The result of each channel, campaign or source. A name filters the page, where the service supports it. */
export function ReportTable({ report: { rows, totals }, by, onFilter }: ReportTableProps) {
  const hasRefunds = rows.some(({ refunds }) => refunds.length > 0);
  const filterOf = (key: string): SearchChange | null => (key === '' ? null : { [by]: key });
  return (
    <div className="table-card">
      <table className="table report-table" aria-label={`Conversions by ${by}`}>
        <thead>
          <tr>
            <th scope="col">{DIMENSION_NAMES[by]}</th>
            <th scope="col" className="cell-share">
              <span className="visually-hidden">Share</span>
            </th>
            <th scope="col" className="cell-number">
              Conversions
            </th>
            <th scope="col" className="cell-number">
              {hasRefunds ? 'Value after refunds' : 'Value'}
            </th>
            {hasRefunds && (
              <th scope="col" className="cell-number">
                Refunded
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const filter = filterOf(row.key);
            return (
              <tr key={`${row.key} ${row.platform ?? ''}`}>
                <th scope="row" className="break">
                  {filter === null ? (
                    <span className={row.key === '' ? 'quiet' : undefined}>{keyName(row.key, by)}</span>
                  ) : (
                    <button
                      type="button"
                      className="row-filter break"
                      title="Filter by this"
                      onClick={() => onFilter(filter)}
                    >
                      {keyName(row.key, by)}
                    </button>
                  )}
                  {row.platform !== null && row.platform !== '' && (
                    <span className="tag">{row.platform}</span>
                  )}
                </th>
                <td className="cell-share">
                  <Share row={row} all={totals.conversions} />
                </td>
                <td className="cell-number" data-label="Conversions">
                  {formatCount(row.conversions)}
                </td>
                <td className="cell-number" data-label={hasRefunds ? 'After refunds' : 'Value'}>
                  <Amounts amounts={row.values} />
                </td>
                {hasRefunds && (
                  <td className="cell-number" data-label="Refunded">
                    <Amounts amounts={row.refunds} />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="chart-foot">
        <span />
        <ChartFiles title={`Conversions by ${by}`} table={() => tableOf(rows, by)} />
      </div>
    </div>
  );
}

/** A line for each currency; one without an amount has none. */
const tableOf = (rows: readonly ReportRow[], by: Dimension) => ({
  head: [DIMENSION_NAMES[by], 'Platform', 'Conversions', 'Currency', 'Value after refunds', 'Refunded'],
  rows: rows.flatMap(({ key, platform, conversions, values, refunds }) => {
    const codes = [...new Set([...values, ...refunds].map(({ currency }) => currency))];
    const of = (amounts: readonly Amount[], code: string) =>
      amounts.find(({ currency }) => currency === code)?.value ?? '';
    return (codes.length === 0 ? [''] : codes).map((code) => [
      ...[keyName(key, by), platform ?? '', conversions, code, of(values, code), of(refunds, code)],
    ]);
  }),
});

/** The share of conversions, drawn beside the number. */
function Share({ row, all }: { row: ReportRow; all: string }) {
  const width = ratio(row.conversions, all) * SHARE_WIDTH;
  return (
    <svg width={SHARE_WIDTH} height="6" viewBox={`0 0 ${SHARE_WIDTH} 6`} aria-hidden="true">
      <rect className="share-all" width={SHARE_WIDTH} height="6" rx="3" />
      {width > 0 && <rect className="share-part" width={Math.max(3, width)} height="6" rx="3" />}
    </svg>
  );
}

function Amounts({ amounts }: { amounts: readonly Amount[] }) {
  if (amounts.length === 0) return <span className="quiet">–</span>;
  return amounts.map((amount) => (
    <span key={amount.currency} className="amount">
      {formatMoney(amount)}
    </span>
  ));
}
