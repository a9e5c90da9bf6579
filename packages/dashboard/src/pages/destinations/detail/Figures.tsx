import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../../api/types.ts';
import { ChartRoom, ChartTools } from '../../../features/charts/ChartHead.tsx';
import { ChartFactsContext } from '../../../features/charts/facts.ts';
import type { ForwardingReport, StatusFilter } from '../../../features/deliveries/api.ts';
import { DeliveryDays } from '../../../features/deliveries/DeliveryDays.tsx';
import { pointsOf } from '../../../features/deliveries/days.ts';
import { factsOf } from '../../../features/deliveries/facts.ts';
import { statusHint } from '../../../features/deliveries/messages.ts';
import { percentOf } from '../../../features/deliveries/rate.ts';
import type { Destination } from '../../../features/destinations/api.ts';
import type { Period } from '../../../format/period.ts';
import { dayIn } from '../../../format/time.ts';
import { Time } from '../../../parts/Time.tsx';

interface FiguresProps {
  property: Property;
  destination: Destination;
  /** Of `period`; undefined: it could not be loaded. */
  report: ForwardingReport | undefined;
  period: Period;
}

/** What came of the conversions of the last 30 days, as Deliveries counts them: each figure leads to its list there. */
export function Figures({ property, destination, report, period }: FiguresProps) {
  const { id, health } = destination;
  const totals = report?.totals.destinations.find((one) => one.destination === id);
  const count = (name: string, value: number | undefined, status: StatusFilter, note?: ReactNode) => ({
    name,
    note,
    status,
    value:
      report === undefined ? (
        '–'
      ) : (value ?? 0) === 0 ? (
        '0'
      ) : (
        <Link
          to="/p/$propertyId/deliveries"
          params={{ propertyId: property.id }}
          search={{ destination: id, status }}
          aria-label={`${value?.toLocaleString('en')} ${name.toLowerCase()}: show them`}
        >
          {value?.toLocaleString('en')}
        </Link>
      ),
    isSome: (value ?? 0) > 0,
  });
  const skipped =
    totals === undefined ? undefined : Object.values(totals.skipped).reduce((sum, one) => sum + one, 0);
  const rate = percentOf(totals?.rate ?? null);
  // In the order of the chart below, which leaves its totals to them.
  const figures = [
    count('Delivered', totals?.delivered, 'delivered', rate === null ? undefined : `${rate} of finished`),
    ...((totals?.accepted ?? 0) > 0 ? [count('Processing', totals?.accepted, 'accepted_async')] : []),
    count('Waiting', totals?.waiting, 'waiting', <Oldest at={health.oldest_waiting_at} />),
    count('Skipped', skipped, 'skipped'),
    ...((totals?.unknown ?? 0) > 0 ? [count('Unknown', totals?.unknown, 'unknown')] : []),
    count('Failed', totals?.dead, 'dead'),
  ];
  return (
    <ChartFactsContext value={factsOf(property, period)}>
      <ChartRoom>
        <section className="card panel figures" aria-labelledby="figures-title">
          <header className="panel-head chart-head">
            <h2 id="figures-title">
              Deliveries in the last 30 days{' '}
              <span className="quiet connected-note">
                last delivered <Time value={health.last_delivered_at} form="ago" none="never" />
              </span>
            </h2>
            <ChartTools />
          </header>
          <dl>
            {figures.map(({ name, note, status, value, isSome }) => (
              <div key={name} data-status={status} data-some={isSome}>
                <dt title={statusHint(status)}>{name}</dt>
                <dd className="number">{value}</dd>
                {note !== undefined && <dd className="figures-note">{note}</dd>}
              </div>
            ))}
          </dl>
          {report !== undefined && (totals?.created ?? 0) > 0 && (
            <Days property={property} destination={destination} report={report} period={period} />
          )}
        </section>
      </ChartRoom>
    </ChartFactsContext>
  );
}

/** The same deliveries by day; chosen days lead to their list. */
function Days({ property, destination, report, period }: FiguresProps & { report: ForwardingReport }) {
  const navigate = useNavigate();
  const today = dayIn(property.time_zone, Date.now());
  return (
    <DeliveryDays
      isTotalled
      points={pointsOf(report.days, destination.id, period, today)}
      onNarrow={(from, to) =>
        void navigate({
          to: '/p/$propertyId/deliveries',
          params: { propertyId: property.id },
          search: { destination: destination.id, from, to },
        })
      }
    />
  );
}

function Oldest({ at }: { at: string | null }) {
  return at === null ? null : (
    <>
      oldest <Time value={at} form="ago" />
    </>
  );
}
