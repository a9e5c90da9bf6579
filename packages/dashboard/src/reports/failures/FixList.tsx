import { ReportLink } from '../shared/ReportLink.tsx';
import type { FixFirst } from './types.ts';

/** Pages to mend first, each with its reason. */
export function FixList({ items }: { items: readonly FixFirst[] }) {
  return (
    <ol className="fix-list">
      {items.map(({ host, path, status, text, reason }) => (
        <li key={`${host}${path}`} data-reason={reason}>
          <span className="fix-status number" data-status={Math.floor(status / 100)}>
            {status}
          </span>
          <div>
            <ReportLink to="failures" narrow={{ page: path, host }} className="report-link mono break">
              {path}
            </ReportLink>
            <span className="quiet mono"> {host}</span>
            <p className="cell-detail">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
