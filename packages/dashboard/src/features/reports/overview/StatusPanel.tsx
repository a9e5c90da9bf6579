import type { ReactNode } from 'react';
import { ChartFiles } from '../../charts/ChartFiles.tsx';
import { Swatch } from '../../charts/Legend.tsx';
import { SplitBar } from '../../charts/SplitBar.tsx';
import { VisitsLink } from '../../visits/VisitsLink.tsx';
import type { OverviewAnswer } from '../api.ts';
import { countText, shareText } from '../figures.ts';

/** Groups of statuses: the figure, its name, its colour, and the explorer's filter for it. */
const GROUPS = [
  { key: 'ok', name: 'OK', about: '2xx and 304', paint: 'verified', status: 'ok' },
  { key: 'redirects', name: 'Redirected', about: '3xx without 304', paint: 'redirect', status: 'redirect' },
  {
    key: 'client_errors',
    name: 'Not found and other 4xx',
    about: '4xx',
    paint: 'client_error',
    status: '4xx',
  },
  { key: 'server_errors', name: 'Server errors', about: '5xx', paint: 'server_error', status: '5xx' },
] as const;

interface StatusPanelProps {
  answer: OverviewAnswer;
  /** Below the groups. */
  children?: ReactNode;
}

/** How the site answered: the groups of statuses that there were. */
export function StatusPanel({ answer: { ai_bots: figures }, children }: StatusPanelProps) {
  const had = GROUPS.filter(({ key }) => figures[key] > 0);
  return (
    <section className="card panel" aria-label="Site responses">
      <header className="panel-head">
        <h2>Site responses</h2>
        <ChartFiles
          title="Site responses"
          table={() => ({
            head: ['Response', 'Status', 'Visits', 'Visits, estimated'],
            rows: GROUPS.map(({ key, name, about }) => [
              name,
              about,
              figures[key],
              figures.estimates[key] ?? 0,
            ]),
          })}
        />
      </header>
      <SplitBar
        wide
        width={1_000}
        height={10}
        of={figures.hits}
        parts={GROUPS.map(({ key, paint }) => ({ key, paint, value: figures[key] }))}
      />
      <ul className="rank-list status-list">
        {had.map(({ key, name, about, paint, status }) => (
          <li key={key}>
            <div title={about}>
              <Swatch paint={paint} /> {name}
            </div>
            <span className="rank-figure number">
              <VisitsLink narrow={{ status }} of={`with status ${about}`}>
                {countText(figures[key], figures.estimates[key])}
              </VisitsLink>
            </span>
            <span className="quiet number">
              {figures.hits > 0 ? shareText(figures[key] / figures.hits) : '–'}
            </span>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
