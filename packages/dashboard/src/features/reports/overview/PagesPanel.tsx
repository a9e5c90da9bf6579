import { counted } from '../../../format/names.ts';
import { ChartFiles } from '../../charts/ChartFiles.tsx';
import { SplitBar } from '../../charts/SplitBar.tsx';
import { VisitsLink } from '../../visits/VisitsLink.tsx';
import type { OverviewAnswer } from '../api.ts';
import { useIsCompared } from '../comparison.ts';
import { countText, filesText } from '../figures.ts';
import { OtherHost } from '../OtherHost.tsx';
import { PathText, ReportLink } from '../ReportLink.tsx';
import { Delta, FROM_NONE } from '../Stat.tsx';

interface PagesPanelProps {
  answer: OverviewAnswer;
  /** Of a single bot: rows don't say how many read them. */
  isOneBot?: boolean;
}

/** Bots of every intent read a page. */
const PAINT = 'people';

export function PagesPanel({
  answer: { top_pages: top, headline, ai_bots: bots },
  isOneBot = false,
}: PagesPanelProps) {
  const isCompared = useIsCompared();
  const hadBefore = (bots.previous?.hits ?? 0) > 0;
  const most = Math.max(1, ...top.map(({ hits }) => hits));
  return (
    <section className="card panel" aria-label="Most read pages">
      <header className="panel-head">
        <h2>Top pages</h2>
        <span className="panel-tools">
          <ReportLink to="pages" className="quiet-link">
            All pages
          </ReportLink>
          <ChartFiles
            title="Top pages"
            table={() => ({
              head: ['Host', 'Path', 'Bots', 'Visits', 'Visits, estimated'],
              rows: top.map(({ host, path, bots, hits, estimated }) => [host, path, bots, hits, estimated]),
            })}
          />
        </span>
      </header>
      {top.length === 0 && (
        <p className="aside">
          No page was read successfully.
          {headline.files > 0 && ` ${filesText(headline.files)} ${headline.files === 1 ? 'was' : 'were'}.`}
        </p>
      )}
      <ul className="rank-list">
        {top.map(({ host, path, hits, bots, ...compared }) => (
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
            <SplitBar width={240} of={most} parts={[{ key: 'hits', paint: PAINT, value: hits }]} />
            <span className="rank-figure number">
              <VisitsLink narrow={{ page: path, host }}>{countText(hits, compared.estimated)}</VisitsLink>
            </span>
            {isCompared && (
              <span className="rank-change">
                <Delta
                  of={compared}
                  none={hadBefore && compared.previous?.hits === 0 ? FROM_NONE : undefined}
                  isRow
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
