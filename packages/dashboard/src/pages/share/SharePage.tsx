import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { useProperty } from '../../features/property/useProperty.ts';
import { reportQuery } from '../../features/reports/api.ts';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { useReportSearch } from '../../features/reports/useReportSearch.ts';
import { Segments } from '../../parts/Switch.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { ShareChart } from './ShareChart.tsx';
import { type Share, type ShareAnswer, SliceList } from './SliceList.tsx';

const OF = [
  ['pages', 'Of pages'],
  ['requests', 'Of all requests'],
] as const;

export function SharePage() {
  const property = useProperty();
  return property === null ? null : <View key={property.id} property={property} />;
}

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const { search, query, change } = address;
  const of = search.kind === 'requests' ? 'requests' : 'pages';
  const report = useQuery(reportQuery(property.id, 'ai-share', query));
  return (
    <ReportFrame
      title="AI share"
      about="How much of your traffic is AI. Bots and referrals are counted one by one; everybody else is estimated from samples."
      property={property}
      address={address}
      report={report}
      offers={['path', 'host', 'country']}
      actions={
        <Segments
          legend="Share of"
          value={of}
          options={OF}
          onChoose={(chosen) => change({ kind: chosen === 'pages' ? undefined : chosen })}
        />
      }
    >
      {(answer) => <Judged answer={answer} share={answer[of]} of={of} property={property} />}
    </ReportFrame>
  );
}

interface JudgedProps {
  answer: ShareAnswer;
  share: Share;
  of: 'pages' | 'requests';
  property: Property;
}

/** A share that can't be told says why: it is never shown as 0. */
function Judged({ answer, share, of, property }: JudgedProps) {
  if (share.state === 'not_available')
    return share.reason === 'log_push_only' ? (
      <EmptyState
        title="Not available for log push"
        action={
          <Link to="/p/$propertyId/setup" params={{ propertyId: property.id }} className="button">
            Set up the collector
          </Link>
        }
      >
        Log push forwards no samples of other traffic, so there is nothing to compare AI with. The edge
        collector sends them.
      </EmptyState>
    ) : (
      <EmptyState title="No traffic in this period">
        Neither bots nor samples arrived. Choose other days, or see Set-up.
      </EmptyState>
    );
  return (
    <>
      {share.state === 'too_few_samples' && (
        <p className="notice">
          Only {share.samples} {share.samples === 1 ? 'sample' : 'samples'} of other traffic arrived: too few
          for a share that means anything. A longer period, or a higher SERVICE_SAMPLE_RATE
          {answer.sample_rates.length > 0 && ` (now ${answer.sample_rates.join(', ')})`}, gives more.
        </p>
      )}
      <SliceList share={share} of={of} />
      {share.state === 'ok' && answer.series.every((day) => day[of].share === null) && (
        <p className="aside">No single day has enough samples for a share of its own; the period has.</p>
      )}
      {share.state === 'ok' && answer.series.some((day) => day[of].share !== null) && (
        <section className="card panel" aria-label="The share of AI a day">
          <header className="panel-head">
            <h2>AI bots, day by day</h2>
          </header>
          <ShareChart
            days={answer.series.map((day) => ({ ...day[of], day: day.day, partial: day.partial }))}
          />
        </section>
      )}
      <p className="aside">
        Each sample stands for 1 ÷ its rate visits.{' '}
        {answer.days_without_samples > 0 &&
          `${answer.days_without_samples === 1 ? 'One day has' : `${answer.days_without_samples} days have`} no sample and ${answer.days_without_samples === 1 ? 'is' : 'are'} left out. `}
        {answer.log_push_hits > 0 &&
          `${answer.log_push_hits.toLocaleString('en')} visits came by log push, which sends no samples; they are left out too.`}
      </p>
    </>
  );
}
