import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Property } from '../../api/types.ts';
import { Term } from '../../features/glossary/Term.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { countText, shareText } from '../../features/reports/figures.ts';
import { NoBots } from '../../features/reports/NoBots.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { Spoofed } from '../../features/reports/Spoofed.tsx';
import { Delta, Stat } from '../../features/reports/Stat.tsx';
import { isFiltered, listQuery } from '../../features/reports/search.ts';
import { DataTable } from '../../features/reports/table/DataTable.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import { useReportSearch } from '../../features/reports/useReportSearch.ts';
import { overTime } from '../../features/reports/VisitsOverTime.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';
import { Segments } from '../../parts/Switch.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { CausesPanels, drawnName } from './CausesPanels.tsx';
import { failureColumns } from './columns.tsx';
import './failures.css';

const GROUPS = [
  ['page', 'Paths'],
  ['bot', 'Bots'],
  ['bot_page', 'Paths by bot'],
] as const;
/** Title of the page, and of the list. */
const TITLES = { page: 'Failures', bot: 'Failures by bot', bot_page: 'Failures by path and bot' } as const;
const LISTED = {
  errors: { page: 'Paths with errors', bot: 'Bots that got errors', bot_page: 'Paths with errors, by bot' },
  redirects: { page: 'Redirected paths', bot: 'Redirected bots', bot_page: 'Redirected paths, by bot' },
} as const;
const KINDS = [
  ['errors', 'Errors'],
  ['client_error', '4xx'],
  ['server_error', '5xx'],
  ['redirect', 'Redirects'],
] as const;

/** The filter of the explorer for each kind. */
const STATUS_OF = {
  errors: 'error',
  client_error: '4xx',
  server_error: '5xx',
  redirect: 'redirect',
} as const;
const FAILED = ['failed visit', 'failed visits'] as const;

export function FailuresPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const { search, change } = address;
  const group = GROUPS.find(([name]) => name === search.group)?.[0] ?? 'page';
  const kind = KINDS.find(([name]) => name === search.kind)?.[0] ?? 'errors';
  const { kind: _, ...list } = listQuery(search);
  const asked = { ...address.compared, ...list, group, ...(kind === 'errors' ? {} : { kind }) };
  const report = useQuery(reportQuery(property.id, 'failures', asked));
  const columns = failureColumns(group, STATUS_OF[kind], report.data, kind === 'errors' ? undefined : kind);
  const box = useRef<HTMLElement>(null);
  return (
    <ReportFrame
      title={TITLES[group]}
      about={
        <>
          <Term name="failure">Errors</Term> and redirects that AI bots received
          {group === 'page' && ', and what to fix first'}. A page that fails for a bot may be missing from AI
          answers.
        </>
      }
      property={property}
      address={address}
      report={report}
      // A list of bots is searched for them: selects of the same would be a second way.
      offers={
        group === 'bot'
          ? ['path', 'intent', 'verified', 'host']
          : ['path', 'vendor', 'bot', 'intent', 'verified', 'host']
      }
      counts="bot_hits"
      actions={<ExportMenu propertyId={property.id} report="failures" query={asked} />}
      choice={
        <Segments
          legend="Kind"
          value={kind}
          options={KINDS}
          onChoose={(chosen) => change({ kind: chosen === 'errors' ? undefined : chosen })}
        />
      }
      findsBots={group === 'bot'}
      outline={{
        figures: ['Failed visits', 'Failed paths', 'Redirects'],
        panels: [
          [{ title: 'Fix these first' }, { title: 'By status' }],
          { title: overTime(address, drawnName(kind)), chart: 190 },
          { columns },
        ],
      }}
    >
      {(answer) => {
        const listed = (
          <section
            ref={box}
            className={`card panel failure-list${group === 'bot' ? ' failing-bots' : ''}`}
            aria-label="Failures"
          >
            <header className="panel-head">
              <div className="read-heading">
                <h2>{LISTED[kind === 'redirect' ? 'redirects' : 'errors'][group]}</h2>
                {group === 'bot' && (
                  <p className="aside">
                    <span className="text-bad">▲</span> above the rate of all bots by more than chance
                  </p>
                )}
              </div>
              <Segments
                legend="Group by"
                value={group}
                options={GROUPS}
                onChoose={(chosen) => {
                  change({
                    group: chosen === 'page' ? undefined : chosen,
                    sort: undefined,
                    order: undefined,
                  });
                  // With another grouping the list has another place on the page.
                  requestAnimationFrame(() => box.current?.scrollIntoView({ block: 'nearest' }));
                }}
              />
            </header>
            <DataTable
              label="Failures"
              columns={columns}
              answer={answer}
              keyOf={({ host, path, bot }) => `${host} ${path} ${bot}`}
              sortedBy="failures"
              address={address}
              stale={report.isPlaceholderData}
              empty={
                <EmptyState title="No failures">
                  No AI bot received a response of this kind in this period.
                </EmptyState>
              }
            />
          </section>
        );
        const causes = <CausesPanels property={property} address={address} answer={answer} kind={kind} />;
        return answer.totals.hits === 0 ? (
          <>
            <Spoofed
              answer={answer}
              spoofed={answer.totals.spoofed}
              estimated={answer.totals.estimates['spoofed']}
              of={FAILED}
              narrow={{ status: STATUS_OF[kind] }}
            />
            <NoBots
              propertyId={property.id}
              filtered={isFiltered(search)}
              answer={answer}
              spoofed={answer.totals.spoofed}
            />
          </>
        ) : (
          <>
            <dl className="stat-strip card" aria-label="Failures at a glance">
              <Stat
                label="Failed visits"
                value={
                  <VisitsLink narrow={{ status: STATUS_OF[kind] }} of="that failed">
                    {countText(answer.totals.failures, answer.totals.estimated)}
                  </VisitsLink>
                }
                aside={<Delta of={answer.totals} more="bad" />}
                note={
                  answer.totals.failing_share === null
                    ? 'none'
                    : `${shareText(answer.totals.failing_share)} of ${countText(answer.totals.hits, answer.totals.estimates['hits'])} visits`
                }
              />
              <Stat
                label="Failed paths"
                value={countText(answer.totals.paths)}
                note={`requested by ${counted(answer.totals.bots, 'bot')}`}
              />
              <Stat
                label="Redirects"
                value={
                  <VisitsLink narrow={{ status: 'redirect' }} of="that were redirected">
                    {countText(answer.totals.redirects, answer.totals.estimates['redirects'])}
                  </VisitsLink>
                }
                note="not failures, but each adds a request"
              />
            </dl>
            <Spoofed
              answer={answer}
              spoofed={answer.totals.spoofed}
              estimated={answer.totals.estimates['spoofed']}
              of={FAILED}
              narrow={{ status: STATUS_OF[kind] }}
            />
            {/* A reader who chose another grouping looks for its list. */}
            {group === 'page' && causes}
            {listed}
            {group !== 'page' && causes}
          </>
        );
      }}
    </ReportFrame>
  );
}
