import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import type { DestinationTotals } from '../../../features/deliveries/api.ts';
import { percentOf } from '../../../features/deliveries/rate.ts';
import { type Sums, sumsOf } from '../../../features/deliveries/sums.ts';
import { counted } from '../../../format/names.ts';
import { finishedOf, worstFirst } from '../model/counts.ts';

interface Column {
  readonly name: string;
  /** On hover: what it counts. */
  readonly about: string;
  readonly of: (sums: Sums) => number;
  readonly isBad?: boolean;
}

/** The finished ones and their rate, and what is not part of it. */
const COLUMNS: readonly Column[] = [
  { name: 'Delivered', about: 'Taken by the platform', of: ({ delivered }) => delivered },
  { name: 'Failed', about: 'Refused by the platform, or given up', of: ({ dead }) => dead, isBad: true },
  {
    name: 'Unknown',
    about: 'Sent without an answer: it may have arrived',
    of: ({ unknown }) => unknown,
    isBad: true,
  },
];
const OTHERS: readonly Column[] = [
  { name: 'Pending', about: 'Not sent yet, or to be sent again', of: ({ waiting }) => waiting },
  { name: 'Processing', about: 'Taken by the platform, which decides later', of: ({ accepted }) => accepted },
  {
    name: 'Skipped',
    about: 'Matched, and not to be sent there: the log has the reason',
    of: ({ skipped }) => skipped,
  },
];

interface DestinationRatesProps {
  totals: readonly DestinationTotals[];
  /** The destination of the chart. */
  chosen: DestinationTotals;
  onChoose: (destination: string) => void;
}

/** The figures of every destination, most failures first. A name selects it for the charts below. */
export function DestinationRates({ totals: all, chosen, onChoose }: DestinationRatesProps) {
  const totals = worstFirst(all);
  return (
    <section className="card panel" aria-label="By destination">
      <header className="panel-head">
        <Lead totals={totals} />
        <ChartFiles title="Accuracy by destination" table={() => tableOf(totals)} />
      </header>
      <div className="table-card">
        <table className="table rates-table" aria-label="Accuracy by destination">
          <thead>
            <tr>
              <th scope="col">Destination</th>
              <Heads of={COLUMNS} />
              <th
                scope="col"
                className="cell-number"
                title="Delivered, of those delivered, failed or unknown"
              >
                Rate
              </th>
              <Heads of={OTHERS} />
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
                  <Cells of={COLUMNS} sums={sums} />
                  <td className="cell-number rates-rate" data-label="Rate">
                    {percentOf(one.rate) ?? '–'}
                  </td>
                  <Cells of={OTHERS} sums={sums} />
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** All destinations in one sentence; with one destination, its panel below says the same. */
function Lead({ totals }: { totals: readonly DestinationTotals[] }) {
  const sums = sumsOf(totals);
  const finished = finishedOf(sums);
  if (totals.length < 2 || finished === 0) return <h2>By destination</h2>;
  const lost = [
    [sums.dead, 'failed'],
    [sums.unknown, 'unknown'],
  ] as const;
  const some = lost
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString('en')} ${word}`);
  return (
    <div>
      <h2 className="flow-rate">
        <span className="number">{percentOf(String(sums.delivered / finished))}</span> delivered
      </h2>
      <p className="aside">
        of {counted(finished, 'finished delivery', 'finished deliveries')} to {totals.length} destinations
        {some.length > 0 && `: ${some.join(', ')}`}.
      </p>
    </div>
  );
}

function Heads({ of }: { of: readonly Column[] }) {
  return of.map(({ name, about }) => (
    <th key={name} scope="col" className="cell-number" title={about}>
      {name}
    </th>
  ));
}

function Cells({ of: columns, sums }: { of: readonly Column[]; sums: Sums }) {
  return columns.map(({ name, of, isBad = false }) => (
    <td
      key={name}
      className="cell-number"
      data-label={name}
      data-bad={isBad && of(sums) > 0}
      data-none={of(sums) === 0}
    >
      {of(sums).toLocaleString('en')}
    </td>
  ));
}

const tableOf = (totals: readonly DestinationTotals[]) => ({
  head: ['Destination', 'Due', ...[...COLUMNS, ...OTHERS].map(({ name }) => name), 'Rate'],
  rows: totals.map((one) => {
    const sums = sumsOf([one]);
    return [
      one.name,
      sums.created,
      ...[...COLUMNS, ...OTHERS].map(({ of }) => of(sums)),
      percentOf(one.rate) ?? '',
    ];
  }),
});
