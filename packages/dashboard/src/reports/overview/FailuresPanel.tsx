import { ReportLink } from '../common/ReportLink.tsx';
import { FixList } from '../failures/FixList.tsx';
import type { OverviewAnswer } from './types.ts';

export function FailuresPanel({ answer: { failures } }: { answer: OverviewAnswer }) {
  return (
    <section className="card panel" aria-label="Fix these first">
      <header className="panel-head">
        <h2>Fix these first</h2>
        <ReportLink to="failures" className="quiet-link">
          All failures
        </ReportLink>
      </header>
      {failures.fix_first.length === 0 ? (
        <p className="aside">
          {failures.failures === 0
            ? 'No AI bot met an error. Nothing to mend.'
            : 'Some visits failed, none often enough to stand out.'}
        </p>
      ) : (
        <FixList items={failures.fix_first} />
      )}
    </section>
  );
}
