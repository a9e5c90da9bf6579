import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import type { DestinationTotals } from '../../../features/deliveries/api.ts';
import { percentOf } from '../../../features/deliveries/rate.ts';
import { type Sums, sumsOf } from '../../../features/deliveries/sums.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { counted } from '../../../format/names.ts';
import { finishedOf, lowestFirst } from '../model/counts.ts';

interface Column {
  readonly name: string;
  /** On hover: what it counts. */
  readonly about: string;
  readonly of: (sums: Sums) => number;
  readonly isBad?: boolean;
}

/** The finished ones and their rate, and what is not part of it. */
const COLUMNS: readonly Column[] = [
  { name: 'Delivered', about: 'Accepted by the platform', of: ({ delivered }) => delivered },
  {
    name: 'Failed',
    about: 'Refused by the platform, or retried for a day without success',
    of: ({ dead }) => dead,
    isBad: true,
  },
  {
    name: 'Unknown',
    about: 'Sent, but no clear answer came: it may have arrived',
    of: ({ unknown }) => unknown,
  },
];
const OTHERS: readonly Column[] = [
  { name: 'Waiting', about: 'Not sent yet, or to be sent again', of: ({ waiting }) => waiting },
  {
    name: 'Processing',
    about: 'The platform has it, and says later whether it counts',
    of: ({ accepted }) => accepted,
  },
  {
    name: 'Skipped',
    about: 'Matched, and not sent there: the log has the reason',
    of: ({ skipped }) => skipped,
  },
];

interface DestinationRatesProps {
  totals: readonly DestinationTotals[];
  /** The destination of the chart. */
  chosen: DestinationTotals;
  /** Destinations that are paused: their rate is of the days before. */
  paused: ReadonlySet<string>;
  onChoose: (destination: string) => void;
}

/** The figures of every destination, the lowest rate first. A name selects it for the charts below. */
export function DestinationRates({ totals: all, chosen, paused, onChoose }: DestinationRatesProps) {
  // What is not sent to is not to be watched.
  const totals = lowestFirst(all).toSorted(
    (a, b) => Number(paused.has(a.destination)) - Number(paused.has(b.destination)),
  );
  return (
    <section className="card panel" aria-label="By destination">
      <header className="panel-head">
        <Lead totals={totals} />
        <ChartFiles title="Delivery rate by destination" table={() => tableOf(totals)} />
      </header>
      <div className="table-card">
        <table className="table rates-table" aria-label="Delivery rate by destination">
          <thead>
            <tr>
              <th scope="col">Destination</th>
              <Heads of={COLUMNS} />
              <th
                scope="col"
                className="cell-number rates-sorted"
                aria-sort="ascending"
                title="Delivered, of those delivered, failed or unknown"
              >
                <span aria-hidden="true">↑ </span>Delivery rate
              </th>
              <Heads of={OTHERS} />
            </tr>
          </thead>
          <tbody>
            {totals.map((one) => {
              const sums = sumsOf([one]);
              return (
                <tr
                  key={one.destination}
                  data-chosen={one.destination === chosen.destination}
                  data-paused={paused.has(one.destination)}
                >
                  <th scope="row" className="rates-cell">
                    <button
                      type="button"
                      className="rates-name"
                      aria-pressed={one.destination === chosen.destination}
                      onClick={() => onChoose(one.destination)}
                    >
                      <PlatformGlyph platform={one.platform} size={24} />
                      <span>{one.name}</span>
                      {one.deleted && <span className="tag">deleted</span>}
                      {paused.has(one.destination) && <span className="tag">paused</span>}
                    </button>
                  </th>
                  <Cells of={COLUMNS} sums={sums} />
                  <td className="cell-number rates-rate" data-label="Delivery rate">
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
  head: ['Destination', 'Due', ...[...COLUMNS, ...OTHERS].map(({ name }) => name), 'Delivery rate'],
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
