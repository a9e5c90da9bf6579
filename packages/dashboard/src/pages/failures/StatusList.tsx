import type { Property } from '../../api/types.ts';
import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { countText } from '../../features/reports/figures.ts';
import { FailingBots } from '../../features/reports/overview/FailingBots.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import type { FailureKind, FailuresAnswer } from './columns.tsx';
import { STATUS_WORDS } from './statuses.ts';

const SHOWN = 8;
/** Below so few statuses there is room for the bots. */
const FEW = 5;

interface StatusListProps {
  property: Property;
  query: Readonly<Record<string, string>>;
  answer: FailuresAnswer;
  kind: FailureKind;
}

/** The statuses of the failures, and below them the bots that received most. */
export function StatusList({
  property,
  query,
  answer: { by_status: statuses, totals },
  kind,
}: StatusListProps) {
  const most = Math.max(1, ...statuses.map(({ hits }) => hits));
  const paths = statuses.reduce((sum, status) => sum + status.paths, 0);
  return (
    <section className="card panel" aria-label="By status">
      <header className="panel-head">
        <h2>By status</h2>
        {statuses.length > 0 && (
          <ChartFiles
            title="Failures by status"
            table={() => ({
              head: ['Status', 'Paths', 'Visits', 'Visits, estimated'],
              rows: statuses.map(({ status, paths, hits, estimated }) => [status, paths, hits, estimated]),
            })}
          />
        )}
      </header>
      {statuses.length === 0 ? (
        <p className="aside">No redirects or errors.</p>
      ) : (
        <ul className="rank-list">
          {statuses.slice(0, SHOWN).map(({ status, hits, estimated, paths }) => (
            <li key={status}>
              <div>
                <span className="mono">{status}</span>{' '}
                <span className="quiet">{STATUS_WORDS[status] ?? ''}</span>
                <span className="cell-detail">
                  {countText(paths)} {paths === 1 ? 'path' : 'paths'}
                </span>
              </div>
              <SplitBar
                width={240}
                of={most}
                parts={[{ key: 'hits', paint: paintOf(status), value: hits }]}
              />
              <span className="rank-figure number">
                <VisitsLink narrow={{ status: String(status) }} of={`with status ${status}`}>
                  {countText(hits, estimated)}
                </VisitsLink>
              </span>
            </li>
          ))}
        </ul>
      )}
      {/* Otherwise their sum reads as a contradiction of the figure above. */}
      {paths > totals.paths && <p className="aside">A path can have several statuses.</p>}
      {statuses.length > 0 && statuses.length < FEW && (
        <FailingBots property={property} query={query} most={4} {...(kind === 'errors' ? {} : { kind })} />
      )}
    </section>
  );
}

const paintOf = (status: number): string =>
  status >= 500 ? 'server_error' : status >= 400 ? 'client_error' : 'redirect';
