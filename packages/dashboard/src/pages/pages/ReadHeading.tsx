import { filesText, pagesText, readText } from '../../features/reports/figures.ts';
import type { PathKind } from './kinds.ts';
import type { PagesAnswer } from './types.ts';

interface ReadHeadingProps {
  totals: PagesAnswer['totals'];
  kind: PathKind;
  onKind: (kind: PathKind) => void;
}

/** How much was read of what is listed, and beside it what is not listed. */
export function ReadHeading({ totals, kind, onKind }: ReadHeadingProps) {
  const bots = `${totals.bots} ${totals.bots === 1 ? 'bot' : 'bots'}`;
  if (kind === 'all')
    return (
      <div>
        <h2>
          {readText(totals)} {totals.pages + totals.files === 1 ? 'was' : 'were'} read
        </h2>
        {totals.bots > 0 && <p className="aside">Listed is every path that {bots} asked for.</p>}
      </div>
    );
  const [listed, other, otherKind] =
    kind === 'page'
      ? ([pagesText(totals.pages), filesText(totals.files), 'file'] as const)
      : ([filesText(totals.files), pagesText(totals.pages), 'page'] as const);
  return (
    <div>
      <h2>
        {listed} read by {bots}
      </h2>
      {totals[otherKind === 'file' ? 'files' : 'pages'] > 0 && (
        <p className="aside">
          and{' '}
          <button type="button" className="report-link" onClick={() => onKind(otherKind)}>
            {other}
          </button>
        </p>
      )}
    </div>
  );
}
