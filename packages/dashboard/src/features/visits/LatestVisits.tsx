import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { readablePath } from '../../format/visible.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import { reportQuery } from '../reports/api.ts';
import type { ReportAddress } from '../reports/useReportSearch.ts';
import { placeOf, visitQuery, visitsBehind } from './search.ts';
import { VerdictMark } from './VerdictMark.tsx';
import './visits.css';

const SHOWN = 6;

interface LatestVisitsProps {
  property: Property;
  address: Pick<ReportAddress, 'search'>;
  /** Of one page: the bots are named, else the paths. */
  of: 'page' | 'bot';
}

/** The newest visits behind a page of figures, those that it counts, each with its details. */
export function LatestVisits({ property, address, of }: LatestVisitsProps) {
  const search = visitsBehind(address.search);
  const query = visitQuery(search, Date.now(), property.time_zone);
  const { data, error, isPending, refetch } = useQuery(
    reportQuery(property.id, 'visits', { ...query, limit: String(SHOWN) }),
  );
  const params = { propertyId: property.id };
  return (
    <section className="card panel" aria-label="Latest visits">
      <header className="panel-head">
        <h2>Latest visits</h2>
        <Link to="/p/$propertyId/visits" params={params} search={search} className="quiet-link">
          All visits
        </Link>
      </header>
      {isPending && <Skeleton lines={SHOWN} label="Loading the latest visits" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.items.length === 0 && <p className="aside">No visits in this period.</p>}
      <ul className="latest-visits" data-of={of}>
        {data?.items.map((visit) => (
          <li key={visit.id}>
            <span className="quiet number">
              <Time value={visit.at} form="ago" />
            </span>
            <Link
              to="/p/$propertyId/visits"
              params={params}
              search={{ ...search, open: placeOf(visit) }}
              className={of === 'bot' ? 'report-link mono' : 'report-link'}
              title="Show this visit"
            >
              {of === 'bot' ? readablePath(visit.path) : visit.bot_name}
            </Link>
            <VerdictMark item={visit} />
            <span className="number" data-status={Math.floor(visit.status / 100)}>
              {visit.status === 0 ? '–' : visit.status}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
