import { ChartFiles } from '../../features/charts/ChartFiles.tsx';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { CompanyMark } from '../../features/marks/CompanyMark.tsx';
import type { OverviewAnswer } from '../../features/reports/api.ts';
import { useIsCompared } from '../../features/reports/comparison.ts';
import { countText } from '../../features/reports/figures.ts';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { Delta, FROM_NONE } from '../../features/reports/Stat.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { makerAndIntent } from '../../format/names.ts';
import { Time } from '../../parts/Time.tsx';

export function BotsPanel({ answer }: { answer: OverviewAnswer }) {
  const { top_bots: top, new_bots: newBots } = answer;
  const isCompared = useIsCompared();
  const hadBefore = (answer.ai_bots.previous?.hits ?? 0) > 0;
  const most = Math.max(1, ...top.map(({ hits }) => hits));
  return (
    <section className="card panel" aria-label="Most active bots">
      <header className="panel-head">
        <h2>Top bots</h2>
        <span className="panel-tools">
          <ReportLink to="bots" className="quiet-link">
            All bots
          </ReportLink>
          <ChartFiles
            title="Top bots"
            table={() => ({
              head: ['Bot', 'Vendor', 'Intent', 'Visits', 'Visits, estimated'],
              rows: top.map(({ bot, vendor, intent, hits, estimated = 0 }) => [
                bot,
                vendor,
                intent,
                hits,
                estimated,
              ]),
            })}
          />
        </span>
      </header>
      <ul className="rank-list">
        {top.map(({ bot, vendor, intent, hits, ...compared }) => (
          <li key={`${vendor} ${bot}`}>
            <div className="marked">
              <CompanyMark of={vendor} size={24} />
              <div>
                <ReportLink to="bots" narrow={{ bot }}>
                  {bot}
                </ReportLink>
                <span className="cell-detail">{makerAndIntent(vendor, intent)}</span>
              </div>
            </div>
            <SplitBar
              width={240}
              of={most}
              parts={[{ key: 'hits', paint: intent === '' ? 'other' : intent, value: hits }]}
            />
            <span className="rank-figure number">
              <VisitsLink narrow={{ bot }}>{countText(hits, compared.estimated)}</VisitsLink>
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
      {newBots.length > 0 && (
        <p className="aside">
          First seen:{' '}
          {newBots.map(({ bot, first_seen: at }, index) => (
            <span key={bot}>
              {index > 0 && ', '}
              <ReportLink to="bots" narrow={{ bot }}>
                {bot}
              </ReportLink>{' '}
              (<Time value={at} form="ago" />)
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
