import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { CompanyMark } from '../../features/marks/CompanyMark.tsx';
import { type ReportAnswer, reportQuery } from '../../features/reports/api.ts';
import { BackLink } from '../../features/reports/BackLink.tsx';
import { FirstSeen } from '../../features/reports/FirstSeen.tsx';
import { claimedVisits, countText, filesText, shareText } from '../../features/reports/figures.ts';
import { useHourChanges } from '../../features/reports/hours.ts';
import { NoBots } from '../../features/reports/NoBots.tsx';
import { FailuresPanel } from '../../features/reports/overview/FailuresPanel.tsx';
import { PagesPanel } from '../../features/reports/overview/PagesPanel.tsx';
import { StatusPanel } from '../../features/reports/overview/StatusPanel.tsx';
import { VerdictsPanel } from '../../features/reports/overview/VerdictsPanel.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { IncludeSpoofed, Spoofed } from '../../features/reports/Spoofed.tsx';
import { Delta, Stat } from '../../features/reports/Stat.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { overTime } from '../../features/reports/VisitsOverTime.tsx';
import { useShared } from '../../features/session/shared.ts';
import { LatestVisits } from '../../features/visits/LatestVisits.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { intentName } from '../../format/names.ts';
import { Time } from '../../parts/Time.tsx';
import { EnginePanel } from './EnginePanel.tsx';

interface BotViewProps {
  property: Property;
  /** The search parameters, with `bot` set. */
  address: ReportAddress;
  bot: string;
}

/** What a bot comes for, by its intent. */
const DOES: Readonly<Record<string, string>> = {
  training: 'It collects pages to train AI models.',
  search: 'It builds an index that an AI engine answers from.',
  on_demand: 'It fetches a page at the moment a person asks an assistant.',
};

/** All visits in a bot's name are what its spoofed ones are a part of: no other figure of the page counts them. */
function spoofedNote(trust: ReportAnswer<'overview'>['trust']): string {
  const all = claimedVisits(trust);
  return trust.spoofed === 0
    ? `of ${countText(all)} visits in its name`
    : `${shareText(trust.spoofed / all)} of ${countText(all)} visits in its name`;
}

/** One bot: visits, pages, verification and failures. */
export function BotView({ property, address, bot }: BotViewProps) {
  const shared = useShared();
  const report = useQuery(reportQuery(property.id, 'overview', address.compared));
  const soFar = useHourChanges(property, address);
  const [found] = report.data?.top_bots ?? [];
  return (
    <ReportFrame
      title={found?.bot ?? bot}
      mark={found !== undefined && <CompanyMark of={found.vendor} size={24} />}
      back={
        <BackLink to="bots" narrow={{ bot: undefined }}>
          Bots
        </BackLink>
      }
      about={
        found !== undefined && (
          <>
            <ReportLink to="bots" narrow={{ bot: undefined, vendor: found.vendor }}>
              {found.vendor}
            </ReportLink>
            {` · ${intentName(found.intent)}. ${DOES[found.intent] ?? ''}`}
          </>
        )
      }
      folds={false}
      property={property}
      address={address}
      report={report}
      offers={['verified', 'path', 'host', 'country']}
      held={['bot']}
      byHour
      actions={<ExportMenu propertyId={property.id} report="pages" query={address.compared} />}
      outline={{
        figures: ['Visits', 'Pages', 'Spoofed', 'Failed'],
        panels: [
          { title: overTime(address, undefined, ', by identity'), chart: 210 },
          [
            ...(shared === null ? [{ title: 'Latest visits' }] : []),
            ...['Site responses', 'Top pages', 'Fix these first'].map((title) => ({ title })),
          ],
        ],
      }}
    >
      {(answer) =>
        answer.ai_bots.hits === 0 ? (
          <>
            <Spoofed
              answer={answer}
              spoofed={answer.headline.spoofed}
              estimated={answer.headline.estimates['spoofed']}
            />
            <NoBots propertyId={property.id} filtered spoofed={answer.headline.spoofed} />
          </>
        ) : (
          <>
            <dl className="stat-strip card" aria-label="This bot at a glance">
              <Stat
                label="Visits"
                value={<VisitsLink>{countText(answer.ai_bots.hits, answer.ai_bots.estimated)}</VisitsLink>}
                aside={<Delta of={answer.ai_bots} soFar={soFar('hits')} />}
                note={
                  <>
                    {soFar('hits')?.note ?? (
                      <>
                        Last seen <Time value={answer.ai_bots.last_seen} form="ago" />
                      </>
                    )}
                    <FirstSeen of={found?.first_seen ?? null} since={answer.data_since} />
                  </>
                }
              />
              <Stat
                label={<ReportLink to="pages">Pages</ReportLink>}
                value={countText(answer.ai_bots.pages)}
                note={
                  answer.ai_bots.files === 0
                    ? 'read at least once'
                    : `and ${filesText(answer.ai_bots.files)} read`
                }
              />
              <Stat
                label={<ReportLink to="trust">Spoofed</ReportLink>}
                value={
                  <span className={answer.trust.spoofed > 0 ? 'text-bad' : undefined}>
                    <VisitsLink narrow={{ verdict: 'spoofed' }} of="that are spoofed">
                      {countText(answer.trust.spoofed, answer.trust.estimates['spoofed'])}
                    </VisitsLink>
                  </span>
                }
                note={
                  <>
                    {spoofedNote(answer.trust)}
                    {shared === null && answer.trust.spoofed > 0 && (
                      <div className="stat-ways">
                        <ReportLink to="trust" className="stat-way">
                          See impersonators
                        </ReportLink>
                        <ReportLink to="trust" hash="block" className="button button-small">
                          Block them
                        </ReportLink>
                      </div>
                    )}
                  </>
                }
              />
              <Stat
                label={<ReportLink to="failures">Failed</ReportLink>}
                value={
                  <VisitsLink narrow={{ status: 'error' }} of="that failed">
                    {countText(answer.failures.failures, answer.failures.estimated)}
                  </VisitsLink>
                }
                note={
                  <>
                    {shareText(answer.failures.failing_share ?? 0)} of visits
                    {answer.failures.failures > 0 && (
                      <div className="stat-ways">
                        <ReportLink to="failures" className="stat-way">
                          See failures
                        </ReportLink>
                      </div>
                    )}
                  </>
                }
              />
            </dl>
            {(answer.trust.spoofed > 0 || answer.population === 'all') && (
              <div className="population">
                <IncludeSpoofed answer={answer} />
              </div>
            )}
            <VerdictsPanel {...{ answer, property, address }} height={210} />
            <div className="report-columns">
              {shared === null && <LatestVisits property={property} address={address} of="bot" />}
              <StatusPanel answer={answer} />
              <PagesPanel answer={answer} isOneBot />
              <FailuresPanel answer={answer} />
              {shared === null && <EnginePanel property={property} address={address} />}
            </div>
          </>
        )
      }
    </ReportFrame>
  );
}
