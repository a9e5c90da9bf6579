import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { countText } from '../../features/reports/figures.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import type { FailuresAnswer } from './columns.tsx';

/** Short names of common statuses. */
const WORDS: Readonly<Record<number, string>> = {
  301: 'moved permanently',
  302: 'found',
  304: 'not modified',
  307: 'temporary redirect',
  308: 'permanent redirect',
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  410: 'gone',
  429: 'too many requests',
  451: 'unavailable for legal reasons',
  500: 'server error',
  502: 'bad gateway',
  503: 'unavailable',
  504: 'gateway timeout',
};
const SHOWN = 8;

export function StatusList({ statuses }: { statuses: FailuresAnswer['by_status'] }) {
  const most = Math.max(1, ...statuses.map(({ hits }) => hits));
  return (
    <section className="card panel" aria-label="By status">
      <header className="panel-head">
        <h2>By status</h2>
      </header>
      {statuses.length === 0 ? (
        <p className="aside">No redirects or errors.</p>
      ) : (
        <ul className="rank-list">
          {statuses.slice(0, SHOWN).map(({ status, hits, estimated, paths }) => (
            <li key={status}>
              <div>
                <span className="mono">{status}</span> <span className="quiet">{WORDS[status] ?? ''}</span>
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
    </section>
  );
}

const paintOf = (status: number): string =>
  status >= 500 ? 'server_error' : status >= 400 ? 'client_error' : 'redirect';
