import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { useAtRest } from '../../features/page/rest.ts';
import { type OverviewAnswer, reportQuery } from '../../features/reports/api.ts';
import { FirstSeen } from '../../features/reports/FirstSeen.tsx';
import { countText, shareText } from '../../features/reports/figures.ts';
import { useHourChanges } from '../../features/reports/hours.ts';
import { NoBots, NotFiltered } from '../../features/reports/NoBots.tsx';
import { FailingBots } from '../../features/reports/overview/FailingBots.tsx';
import { StatusPanel } from '../../features/reports/overview/StatusPanel.tsx';
import { VerdictsPanel } from '../../features/reports/overview/VerdictsPanel.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { Spoofed } from '../../features/reports/Spoofed.tsx';
import { Delta, Stat } from '../../features/reports/Stat.tsx';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { useShared } from '../../features/session/shared.ts';
import { LatestVisits } from '../../features/visits/LatestVisits.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';
import { earliestOf } from '../../format/period.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import type { UnreadAnswer } from './kinds.ts';
import { LandedPanel } from './LandedPanel.tsx';
import { reasonOf } from './unread-reasons.ts';

interface PageViewProps {
  property: Property;
  /** The search parameters, with `page` set. */
  address: ReportAddress;
  /** Its bots. */
  children: ReactNode;
}

/** One page: visits by verdict, how the site answered, the newest visits, and the people that AI engines sent to it. */
export function PageView({ property, address, children }: PageViewProps) {
  const shared = useShared();
  const report = useQuery(reportQuery(property.id, 'overview', address.compared));
  const soFar = useHourChanges(property, address);
  const first = useFirstVisit(property, address, report.data);
  if (report.error !== null) return <ErrorState error={report.error} onRetry={() => void report.refetch()} />;
  if (report.data === undefined) return <Skeleton lines={8} label="Loading the page" />;
  const answer = report.data;
  if (answer.ai_bots.hits === 0)
    return shared === null ? (
      <>
        <NeverRead property={property} address={address} answer={answer} />
        <LandedPanel property={property} address={address} referrals={answer.referrals} />
      </>
    ) : (
      <NoBots propertyId={property.id} filtered spoofed={answer.headline.spoofed} />
    );
  const { ai_bots: figures, trust, failures, referrals } = answer;
  return (
    <>
      <dl className="stat-strip card" aria-label="This page at a glance">
        <Stat
          label="AI bot visits"
          value={<VisitsLink>{countText(figures.hits, figures.estimated)}</VisitsLink>}
          aside={<Delta of={figures} soFar={soFar('hits')} />}
          note={
            <>
              {soFar('hits')?.note ?? (
                <>
                  {counted(figures.bots, 'bot')}, latest <Time value={figures.last_seen} form="ago" />
                </>
              )}
              {first === null ? (
                // The line is as high before it is known.
                <div>{NBSP}</div>
              ) : (
                <FirstSeen {...first} />
              )}
            </>
          }
        />
        <Stat
          label={<ReportLink to="trust">Verified</ReportLink>}
          value={shareText(trust.verified / figures.hits)}
          note={verifiedNote(trust)}
        />
        <Stat
          label={<ReportLink to="failures">Failed</ReportLink>}
          value={
            <VisitsLink narrow={{ status: 'error' }} of="that failed">
              {countText(failures.failures, failures.estimated)}
            </VisitsLink>
          }
          note={
            <>
              {shareText(failures.failing_share)} of visits
              {failures.failures > 0 && (
                <div className="stat-ways">
                  <ReportLink to="failures" className="stat-way">
                    See failures
                  </ReportLink>
                </div>
              )}
            </>
          }
        />
        <Stat
          label={<ReportLink to="referrals">AI referrals</ReportLink>}
          value={
            <VisitsLink narrow={{ class: 'ai_referral' }} of="that AI engines sent">
              {countText(referrals.visits, referrals.estimated)}
            </VisitsLink>
          }
          aside={<Delta of={referrals} more="good" isFurther />}
          note={
            referrals.top.length === 0 ? (
              'no one landed here'
            ) : (
              <>
                {referrals.top.map(({ engine }) => engine).join(', ')}
                <div className="stat-ways">
                  <ReportLink to="referrals" className="stat-way">
                    See referrals
                  </ReportLink>
                </div>
              </>
            )
          }
        />
      </dl>
      <Spoofed
        answer={answer}
        spoofed={answer.headline.spoofed}
        estimated={answer.headline.estimates['spoofed']}
      />
      <NotFiltered by={answer.not_filtered.referrals} what="Referrals" />
      <div className="report-columns report-columns-wide">
        <VerdictsPanel answer={answer} property={property} address={address} height={214} />
        <StatusPanel answer={answer}>
          {failures.failures > 0 && <FailingBots property={property} query={address.query} most={3} />}
        </StatusPanel>
      </div>
      {children}
      {shared === null && (
        <div className="report-columns">
          <LatestVisits property={property} address={address} of="page" />
          <LandedPanel property={property} address={address} referrals={answer.referrals} />
        </div>
      )}
    </>
  );
}

/** `1,648 verified, 340 unknown`: what the percentage is made of. */
const verifiedNote = ({ verified, unknown, estimates: of }: OverviewAnswer['trust']): string =>
  `${countText(verified, of['verified'])} verified, ${countText(unknown, of['unknown'])} unknown`;

const NBSP = '\u00a0';

/** The page's first visit of all that reports can still show, under the filters of the page; null: it is not known yet. */
function useFirstVisit(
  { id }: Pick<Property, 'id'>,
  { query }: Pick<ReportAddress, 'query'>,
  answer: OverviewAnswer | undefined,
): ComponentProps<typeof FirstSeen> | null {
  const rests = useAtRest();
  const { data_since: since = null, period } = answer ?? {};
  const to = period?.to ?? '';
  const reach = period === undefined ? '' : earliestOf(to);
  const from = since === null || since < reach ? reach : since;
  const all = useQuery({
    ...reportQuery(id, 'pages', { ...query, from, to, kind: 'all', limit: '1' }),
    // It reads all days there are: the rest of the page comes first.
    enabled: rests && answer !== undefined && answer.ai_bots.hits > 0,
    refetchInterval: false,
  });
  return all.data === undefined || all.isPlaceholderData
    ? null
    : { of: all.data.totals.first_seen, since: from, isCut: since !== null && since < reach };
}

/** What its absence from the list of unread pages says, as far as the sitemap was read. */
function notListed({ pages, truncated }: UnreadAnswer['sitemap']): string {
  if (pages === 0) return 'This property has no known sitemap, so bots can find it only through links.';
  return truncated
    ? 'Your sitemap exceeds the limit of 50,000 URLs, and this page is not among those that were read.'
    : 'Your sitemap does not list it, so bots can find it only through links.';
}

interface NeverReadProps {
  property: Property;
  address: ReportAddress;
  answer: OverviewAnswer;
}

/** A page without visits, and the likely reason. */
function NeverRead({ property, address: { query, search }, answer }: NeverReadProps) {
  const params = { propertyId: property.id };
  const unread = useQuery(reportQuery(property.id, 'pages/unread', { ...query, kind: 'all', order: 'asc' }));
  const { spoofed } = answer.headline;
  const { bot, vendor, intent, verified, country } = search;
  const isNarrowed = [bot, vendor, intent, verified, country].some((value) => value !== undefined);
  const who = isNarrowed ? 'No AI bot that matches the filters' : 'No AI bot';
  const listed = unread.data?.items.find(
    ({ path, host }) => path === search.page && (search.host === undefined || host === search.host),
  );
  return (
    <section className="card panel" aria-label="Why it was not read">
      <header className="panel-head">
        <h2>{who} read this page in this period</h2>
      </header>
      <ul className="reasons">
        {spoofed > 0 && (
          <li>
            <VisitsLink narrow={{ verdict: 'spoofed' }}>
              {countText(spoofed, answer.headline.estimates['spoofed'])} spoofed{' '}
              {Math.round(spoofed) === 1 ? 'visit' : 'visits'}
            </VisitsLink>{' '}
            to this page came from impersonators.
          </li>
        )}
        {listed !== undefined ? (
          <li>
            Your sitemap lists it. {reasonOf(listed)}
            {listed.reason === 'never_requested' && ': it is new, or no page links to it'}.
          </li>
        ) : (
          unread.data !== undefined && (
            <li>
              {notListed(unread.data.sitemap)}{' '}
              <Link
                to="/p/$propertyId/pages"
                params={params}
                search={{ group: 'unread' }}
                className="report-link"
              >
                Show the sitemap
              </Link>
            </li>
          )
        )}
        <li>
          <VisitsLink narrow={{ class: 'ai_bot,ai_referral,search_engine', verdict: undefined }}>
            Show every visit of this page
          </VisitsLink>
          , or choose a longer period.
        </li>
      </ul>
    </section>
  );
}
