import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { deliveriesQueries, type StatusFilter } from '../../../features/deliveries/api.ts';
import { percentOf } from '../../../features/deliveries/rate.ts';
import type { Destination } from '../../../features/destinations/api.ts';
import { periodOf, periodQuery } from '../../../format/period.ts';
import { ErrorState, failed } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';

/** What came of the conversions of the last 30 days, as Deliveries counts them: each figure leads to its list there. */
export function Figures({ property, destination }: { property: Property; destination: Destination }) {
  // The period stays the same at midnight.
  const [now] = useState(() => Date.now());
  const { id, health } = destination;
  const report = useQuery(
    deliveriesQueries.report(property.id, periodQuery(periodOf({}, now, property.time_zone))),
  );
  const totals = report.data?.totals.destinations.find((one) => one.destination === id);
  const count = (name: string, value: number | undefined, status: StatusFilter, note?: ReactNode) => ({
    name,
    note,
    status,
    value:
      report.data === undefined ? (
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
  const figures = [
    count(
      'Delivered',
      totals?.delivered,
      'delivered',
      rate === null ? undefined : `${rate} of those finished`,
    ),
    count('Failed', totals?.dead, 'dead'),
    ...((totals?.unknown ?? 0) > 0 ? [count('Unknown', totals?.unknown, 'unknown')] : []),
    count('Pending', totals?.waiting, 'waiting', <Oldest at={health.oldest_waiting_at} />),
    ...((totals?.accepted ?? 0) > 0 ? [count('Processing', totals?.accepted, 'accepted_async')] : []),
    count('Skipped', skipped, 'skipped'),
  ];
  return (
    <section className="card panel figures" aria-labelledby="figures-title">
      <h2 id="figures-title">
        Last 30 days{' '}
        <span className="quiet connected-note">
          last delivered <Time value={health.last_delivered_at} form="ago" none="never" />
        </span>
      </h2>
      <dl>
        {figures.map(({ name, note, status, value, isSome }) => (
          <div key={name} data-status={status} data-some={isSome}>
            <dt>{name}</dt>
            <dd className="number">{value}</dd>
            {note !== undefined && <dd className="figures-note">{note}</dd>}
          </div>
        ))}
      </dl>
      {failed(report) && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
    </section>
  );
}

function Oldest({ at }: { at: string | null }) {
  return at === null ? null : (
    <>
      oldest <Time value={at} form="ago" />
    </>
  );
}
