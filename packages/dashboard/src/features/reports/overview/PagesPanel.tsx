import { counted } from '../../../format/names.ts';
import { SplitBar } from '../../charts/SplitBar.tsx';
import { VisitsLink } from '../../visits/VisitsLink.tsx';
import type { OverviewAnswer } from '../api.ts';
import { countText, filesText } from '../figures.ts';
import { OtherHost } from '../OtherHost.tsx';
import { PathText, ReportLink } from '../ReportLink.tsx';

interface PagesPanelProps {
  answer: OverviewAnswer;
  /** Of a single bot: rows don't say how many read them. */
  isOneBot?: boolean;
}

export function PagesPanel({ answer: { top_pages: top, headline }, isOneBot = false }: PagesPanelProps) {
  const most = Math.max(1, ...top.map(({ hits }) => hits));
  return (
    <section className="card panel" aria-label="Most read pages">
      <header className="panel-head">
        <h2>Top pages</h2>
        <ReportLink to="pages" className="quiet-link">
          All pages
        </ReportLink>
      </header>
      {top.length === 0 && (
        <p className="aside">
          No page was read successfully.
          {headline.files > 0 && ` ${filesText(headline.files)} ${headline.files === 1 ? 'was' : 'were'}.`}
        </p>
      )}
      <ul className="rank-list">
        {top.map(({ host, path, hits, estimated, bots }) => (
          <li key={`${host}${path}`}>
            <div>
              <ReportLink to="pages" narrow={{ page: path, host, group: 'bot_page' }}>
                <PathText path={path} />
              </ReportLink>
              {isOneBot ? (
                <OtherHost host={host} />
              ) : (
                <span className="cell-detail">
                  {counted(bots, 'bot')}
                  <OtherHost host={host} />
                </span>
              )}
            </div>
            <SplitBar width={240} of={most} parts={[{ key: 'hits', paint: 'ai_bot', value: hits }]} />
            <span className="rank-figure number">
              <VisitsLink narrow={{ page: path, host }}>{countText(hits, estimated)}</VisitsLink>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
