import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { Skeleton } from '../../../parts/states.tsx';
import { CompanyMark } from '../../marks/CompanyMark.tsx';
import { reportQuery } from '../api.ts';
import { countText, shareText } from '../figures.ts';
import { ReportLink } from '../ReportLink.tsx';

interface FailingBotsProps {
  property: Property;
  /** Which visits. */
  query: Readonly<Record<string, string>>;
  /** Which answers, as the report names them; left out: all errors. */
  kind?: string;
  /** So many at most. */
  most: number;
}

/** The bots that failed most, with how often each did: in a card that has room for them. */
export function FailingBots({ property, query, kind, most }: FailingBotsProps) {
  const asked = {
    ...query,
    ...{ group: 'bot', limit: String(most) },
    ...(kind === undefined ? {} : { kind }),
  };
  const report = useQuery(reportQuery(property.id, 'failures', asked));
  if (report.data === undefined) return <Skeleton lines={most} label="Loading the bots" />;
  return (
    <>
      <header className="panel-head">
        <h3>Bots with the most errors</h3>
        <ReportLink to="failures" narrow={{ group: 'bot' }} className="quiet-link">
          All bots
        </ReportLink>
      </header>
      <ul className="rank-list affected-bots">
        {report.data.items.map(({ bot, vendor, failures, estimated, failing_share: share }) => (
          <li key={bot}>
            <div className="marked">
              <CompanyMark of={vendor} size={18} />
              <ReportLink to="failures" narrow={{ bot, group: 'bot_page' }}>
                {bot}
              </ReportLink>
            </div>
            <span className="quiet number">{shareText(share)} of visits</span>
            <span className="rank-figure number">{countText(failures, estimated)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
