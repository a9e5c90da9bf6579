import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import type { DestinationTotals } from '../../../features/deliveries/api.ts';
import { rateOf, sumsOf } from '../model/counts.ts';

interface DestinationRatesProps {
  totals: readonly DestinationTotals[];
  /** The destination of the chart. */
  chosen: DestinationTotals;
  onChoose: (destination: string) => void;
}

/** The figures of every destination. A name selects it for the chart above. */
export function DestinationRates({ totals, chosen, onChoose }: DestinationRatesProps) {
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
              {['Due', 'Skipped', 'Pending', 'Failed', 'Unknown', 'Accepted', 'Rate'].map((name) => (
                <th key={name} scope="col" className="cell-number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {totals.map((one) => {
              const sums = sumsOf([one]);
              const figures = [
                ['Due', sums.created],
                ['Skipped', sums.skipped],
                ['Pending', sums.waiting],
                ['Failed', sums.dead],
                ['Unknown', sums.unknown],
                ['Accepted', sums.delivered + sums.accepted],
              ] as const;
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
                  {figures.map(([name, count]) => (
                    <td
                      key={name}
                      className="cell-number"
                      data-label={name}
                      data-bad={name === 'Failed' && count > 0}
                    >
                      {count.toLocaleString('en')}
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
  head: ['Destination', 'Due', 'Skipped', 'Pending', 'Failed', 'Unknown', 'Accepted', 'Rate'],
  rows: totals.map((one) => {
    const { created, skipped, waiting, dead, unknown, delivered, accepted } = sumsOf([one]);
    return [one.name, created, skipped, waiting, dead, unknown, delivered + accepted, rateOf(one) ?? ''];
  }),
});
