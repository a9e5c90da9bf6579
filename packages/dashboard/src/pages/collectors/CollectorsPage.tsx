import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { useReportSearch } from '../../features/reports/useReportSearch.ts';
import { EmptyState } from '../../parts/states.tsx';
import { HostsPanel } from './HostsPanel.tsx';
import { OutdatedNotice } from './OutdatedNotice.tsx';
import { areNamed, countHosts, isOutdated } from './senders.ts';
import { VersionsPanel } from './VersionsPanel.tsx';
import './collectors.css';

/** Collectors and log pushes: versions, hosts, sample rates, and which versions are outdated. */
export function CollectorsPage() {
  return <OfProperty view={View} />;
}

/** Fewer are found in the table at a glance. */
const MANY_HOSTS = 8;

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const report = useQuery(reportQuery(property.id, 'collectors', address.query));
  const hosts = countHosts(report.data?.hosts ?? []);
  return (
    <ReportFrame
      title="Collectors"
      about="What sends your visits: collectors and logs, by host."
      folds={false}
      property={property}
      address={address}
      report={report}
      compares={false}
      shares={false}
      offers={hosts < MANY_HOSTS ? [] : ['host']}
      outline={{
        // Its heading says how many hosts there are.
        panels: [{ rows: 3 }],
      }}
    >
      {(answer) =>
        answer.hosts.length === 0 ? (
          <EmptyState
            title="No visits in this period"
            action={
              <Link
                to="/p/$propertyId/setup"
                params={{ propertyId: property.id }}
                className="button button-primary"
              >
                Open Setup
              </Link>
            }
          >
            Collectors and log sources appear here with their first visit.
          </EmptyState>
        ) : (
          <>
            {answer.versions.filter(isOutdated).map((one) => (
              <OutdatedNotice key={`${one.source} ${one.version}`} of={one} property={property} />
            ))}
            {answer.sample_rate_zero && (
              <p className="notice">
                No collector has sent a sample of other traffic in this period, so the AI share is unknown.
                Either the sample rate is 0, or there were too few visits for a sample yet.
              </p>
            )}
            <HostsPanel hosts={answer.hosts} marksOutdated={!areNamed(answer.versions)} />
            {answer.versions.length > 0 && <VersionsPanel versions={answer.versions} />}
          </>
        )
      }
    </ReportFrame>
  );
}
