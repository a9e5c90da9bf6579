import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import type { DestinationTotals } from '../../../features/deliveries/api.ts';
import { rateOf } from '../../../features/deliveries/rate.ts';
import { eligibleOf, lowestFirst, type Sums, sumsOf } from '../model/counts.ts';

interface Column {
  readonly name: string;
  /** On hover: what it counts. */
  readonly about: string;
  readonly of: (sums: Sums) => number;
  readonly isBad?: boolean;
}

/** What was skipped, and the parts of what was not. */
const COLUMNS: readonly Column[] = [
  {
    name: 'Skipped',
    about: 'Matched, and not to be sent there: the log has the reason',
    of: ({ skipped }) => skipped,
  },
  { name: 'Eligible', about: 'Matched, and not skipped: what the rate is of', of: eligibleOf },
  { name: 'Pending', about: 'Eligible, and not sent yet or sent again', of: ({ waiting }) => waiting },
  { name: 'Failed', about: 'Eligible, and given up', of: ({ dead }) => dead, isBad: true },
  { name: 'Unknown', about: 'Sent without an answer: it may have arrived', of: ({ unknown }) => unknown },
  { name: 'Accepted', about: 'Taken by the platform', of: ({ delivered, accepted }) => delivered + accepted },
];

interface DestinationRatesProps {
  totals: readonly DestinationTotals[];
  /** The destination of the chart. */
  chosen: DestinationTotals;
  onChoose: (destination: string) => void;
}

/** The figures of every destination, the lowest rate first. A name selects it for the chart above. */
export function DestinationRates({ totals: all, chosen, onChoose }: DestinationRatesProps) {
  const totals = lowestFirst(all);
  return (
    <section className="card panel" aria-labelledby="rates-title">
      <header className="panel-head">
        <h2 id="rates-title">By destination</h2>
        <ChartFiles title="Accuracy by destination" table={() => tableOf(totals)} />
      </header>
      <div className="table-card">
        <table className="table rates-table" aria-label="Accuracy by destination">
          <thead>
            <tr>
              <th scope="col">Destination</th>
              {COLUMNS.map(({ name, about }) => (
                <th key={name} scope="col" className="cell-number" title={about}>
                  {name}
                </th>
              ))}
              <th scope="col" className="cell-number" title="Accepted, of those eligible">
                Rate
              </th>
            </tr>
          </thead>
          <tbody>
            {totals.map((one) => {
              const sums = sumsOf([one]);
              return (
                <tr key={one.destination} data-chosen={one.destination === chosen.destination}>
                  <th scope="row" className="rates-cell">
                    <button
                      type="button"
                      className="rates-name"
                      aria-pressed={one.destination === chosen.destination}
                      onClick={() => onChoose(one.destination)}
                    >
                      {one.name}
                    </button>
                    {one.deleted && <span className="tag">deleted</span>}
                  </th>
                  {COLUMNS.map(({ name, of, isBad }) => (
                    <td key={name} className="cell-number" data-label={name} data-bad={isBad && of(sums) > 0}>
                      {of(sums).toLocaleString('en')}
                    </td>
                  ))}
                  <td className="cell-number rates-rate" data-label="Rate">
                    {rateOf(one) ?? '–'}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const tableOf = (totals: readonly DestinationTotals[]) => ({
  head: ['Destination', 'Due', ...COLUMNS.map(({ name }) => name), 'Rate'],
  rows: totals.map((one) => {
    const sums = sumsOf([one]);
    return [one.name, sums.created, ...COLUMNS.map(({ of }) => of(sums)), rateOf(one) ?? ''];
  }),
});
