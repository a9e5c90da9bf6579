import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { ChartPanel } from '../../features/charts/ChartHead.tsx';
import { Term } from '../../features/glossary/Term.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { isUnfinished, shareText } from '../../features/reports/figures.ts';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { useIsShareAwaited, useShareBefore } from '../../features/reports/ShareDelta.tsx';
import { type ReportAddress, useReportSearch } from '../../features/reports/useReportSearch.ts';
import { counted } from '../../format/names.ts';
import { rangeLabel } from '../../format/period.ts';
import { Segments } from '../../parts/Switch.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { ShareChart } from './ShareChart.tsx';
import { OtherBotParts, type Share, type ShareAnswer, SliceList } from './SliceList.tsx';

const OF = [
  ['pages', 'Page views'],
  ['requests', 'All requests'],
] as const;

export function SharePage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const { search, compared, change } = address;
  const of = search.kind === 'requests' ? 'requests' : 'pages';
  const report = useQuery(reportQuery(property.id, 'ai-share', compared));
  const isAwaited = useIsShareAwaited(property, address, report.data);
  return (
    <ReportFrame
      title="AI share"
      about="How much of your traffic comes from AI bots."
      property={property}
      address={address}
      report={report}
      offers={['path', 'host', 'country']}
      choice={
        <span className="choice-named">
          <span className="quiet" aria-hidden="true">
            Share of
          </span>
          <Segments
            legend="Share of"
            value={of}
            options={OF}
            onChoose={(chosen) => change({ kind: chosen === 'pages' ? undefined : chosen })}
          />
        </span>
      }
      // The changes and the line of the earlier days come with the figures: nothing moves, and the axis stays as it is.
      isHeld={isAwaited}
      outline={{ panels: [{ rows: 5 }, { title: chartTitle(of), chart: 190 }] }}
    >
      {(answer) => (
        <ShareContent answer={answer} share={answer[of]} property={property} {...{ of, address }} />
      )}
    </ReportFrame>
  );
}

/** What the chart draws. */
const chartTitle = (of: 'pages' | 'requests'): string =>
  `AI bots’ share of ${of === 'pages' ? 'page views' : 'requests'} per day`;

interface BasisProps {
  denominator: Share['denominator'];
  /** Of samples. */
  rates: readonly number[];
}

/** How the other traffic is known. */
function Basis({ denominator, rates: [rate, ...others] }: BasisProps) {
  if (denominator === 'counted') return 'Other traffic is counted from logs that record every request.';
  const isOne = rate !== undefined && rate < 1 && others.length === 0;
  return (
    <>
      Other traffic is estimated from <Term name="sample">samples</Term>: each counts as{' '}
      {isOne ? counted(Math.round(1 / rate), 'visit') : 'several visits'}.
    </>
  );
}

interface ShareContentProps {
  answer: ShareAnswer;
  share: Share;
  of: 'pages' | 'requests';
  property: Property;
  address: ReportAddress;
}

/** An unknown share is never shown as 0; this says why it is unknown. */
function ShareContent({ answer, share, of, property, address }: ShareContentProps) {
  const { previous } = answer.period;
  const before = useShareBefore(property, answer.period, share.state === 'ok');
  const daysOf = ({ series }: ShareAnswer) =>
    series.map(({ day, ...parts }) => ({ day, share: parts[of].share }));
  if (share.state === 'not_available' && share.reason === 'counted_by_host_only')
    return (
      <EmptyState title="Not available with this filter">
        Logs count other traffic by host, not by path or country. Remove these filters.
      </EmptyState>
    );
  if (share.state === 'not_available' && share.reason === 'over_quota')
    return (
      <EmptyState title="Not available: the quota was reached">
        Visits were dropped on these days, so other traffic is unknown. Choose other days.
      </EmptyState>
    );
  if (share.state === 'not_available')
    return share.reason === 'log_push_only' ? (
      <EmptyState
        title="Not available for logs"
        action={
          <Link to="/p/$propertyId/setup" params={{ propertyId: property.id }} className="button">
            Set up the collector
          </Link>
        }
      >
        These logs don’t count other traffic, so there is nothing to compare AI traffic with. Web server logs
        and ghostlight-tail count it; the collector samples it.
      </EmptyState>
    ) : (
      <EmptyState title="No traffic in this period">
        No bots or samples arrived. Choose another period, or see Setup.
      </EmptyState>
    );
  return (
    <>
      {share.state === 'too_few_samples' && (
        <p className="notice">
          {share.samples === 0 ? 'No samples' : `Only ${counted(share.samples, 'sample')}`} of other traffic
          arrived. That is too few for a meaningful share. Choose a longer period or a higher sample rate
          {answer.sample_rates.length > 0 && ` (now ${answer.sample_rates.map(shareText).join(', ')})`}.
        </p>
      )}
      <SliceList property={property} answer={answer} share={share} of={of} />
      {share.state === 'ok' && answer.series.every((day) => day[of].share === null) && (
        <p className="aside">Single days have too few samples for a share; the whole period has enough.</p>
      )}
      {share.state === 'ok' && answer.series.some((day) => day[of].share !== null) && (
        <ChartPanel label="AI share per day" head={<h2>{chartTitle(of)}</h2>}>
          <ShareChart
            before={
              before === undefined || previous === null
                ? null
                : { name: rangeLabel(previous), days: daysOf(before) }
            }
            days={answer.series.map(({ day, ...parts }) => ({
              ...parts[of],
              day,
              partial: isUnfinished(day, answer.time_zone),
            }))}
            onNarrow={address.narrow}
          />
        </ChartPanel>
      )}
      {(share.days_without_samples > 0 || answer.over_quota_days.length > 0) && (
        <p className="aside">
          {share.days_without_samples > 0 &&
            `On ${counted(share.days_without_samples, 'day')} no samples of other traffic arrived; AI visits on ${share.days_without_samples === 1 ? 'that day' : 'those days'} still count. `}
          {answer.over_quota_days.length > 0 &&
            'Visits dropped over the quota can’t be classified, so the share leaves out days where they would change it.'}
        </p>
      )}
      <details className="accuracy">
        <summary className="disclosure">How accurate this is</summary>
        <p className="aside">
          <Basis denominator={share.denominator ?? 'estimated'} rates={answer.sample_rates} />{' '}
          <OtherBotParts share={share} of={of} />
          {answer.log_push_hits > 0 &&
            answer.counted_by.length === 0 &&
            `${counted(answer.log_push_hits, 'visit')} from logs ${answer.log_push_hits === 1 ? 'is' : 'are'} left out, because logs have no samples. `}
          <a className="no-break" href="/docs/reports#ai-share" target="_blank" rel="noopener">
            More in the docs
          </a>
        </p>
      </details>
    </>
  );
}
