import { visible } from '../../format/visible.ts';
import { PathText } from './PathText.tsx';
import { ReportLink } from './ReportLink.tsx';
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
            <ReportLink to="failures" narrow={{ page: path, host }}>
              <PathText path={path} />
            </ReportLink>
            <span className="cell-detail mono">{visible(host)}</span>
            <p className="aside">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
