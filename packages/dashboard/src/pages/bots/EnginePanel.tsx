import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { formatCount, formatMoney } from '../../features/conversions/money.ts';
import { reportQuery } from '../../features/reports/api.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import { countText } from '../../features/reports/figures.ts';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';

interface EnginePanelProps {
  property: Property;
  address: Pick<ReportAddress, 'query'>;
}

/** The people that the products of this bot's vendor sent, and what they bought. It does not claim that one led to the other. */
export function EnginePanel({ property, address: { query } }: EnginePanelProps) {
  const carriedOver = useCarriedOver();
  const { data, error, isPending, refetch } = useQuery(reportQuery(property.id, 'funnel', query));
  // Under a filter by bot, only its own engine has crawled.
  const engine = data?.items.find(({ crawled }) => crawled.hits > 0 || crawled.spoofed > 0);
  const [product] = engine?.products ?? [];
  return (
    <section className="card panel panel-across" aria-label="What its engine sent">
      <header className="panel-head">
        <h2>What its engine sent</h2>
        <ReportLink to="referrals" className="quiet-link">
          All referrals
        </ReportLink>
      </header>
      {isPending && <Skeleton lines={3} label="Loading referrals and conversions" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined &&
        (engine === undefined || product === undefined ? (
          <p className="aside">No product of this vendor is known to send people.</p>
        ) : (
          <ul className="rank-list">
            <li>
              <div>
                AI referrals
                <span className="cell-detail">people that {engine.products.join(', ')} sent</span>
              </div>
              <span className="rank-figure number">
                {engine.products.length === 1 ? (
                  <VisitsLink narrow={{ class: 'ai_referral', engine: product }}>
                    {countText(engine.referred.visits, engine.referred.estimated)}
                  </VisitsLink>
                ) : (
                  countText(engine.referred.visits, engine.referred.estimated)
                )}
              </span>
            </li>
            <li>
              <div>
                Conversions
                <span className="cell-detail">
                  {engine.converted === null
                    ? 'no conversion happened in this period'
                    : engine.converted.values.map(formatMoney).join(', ') || 'without a value'}
                </span>
              </div>
              <span className="rank-figure number">
                {engine.converted === null ? (
                  '–'
                ) : (
                  <Link
                    to="/p/$propertyId/conversions"
                    params={{ propertyId: property.id }}
                    search={carriedOver('conversions')}
                    className="figure-link"
                  >
                    {formatCount(engine.converted.conversions)}
                  </Link>
                )}
              </span>
            </li>
          </ul>
        ))}
      <p className="aside">
        For the whole vendor, not this bot alone. Crawls don’t necessarily lead to visits.
      </p>
    </section>
  );
}
