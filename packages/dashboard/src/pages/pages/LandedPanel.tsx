import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { conversionsQueries } from '../../features/conversions/api.ts';
import { formatCount, formatMoney, isZero } from '../../features/conversions/money.ts';
import type { OverviewAnswer } from '../../features/reports/api.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import { countText } from '../../features/reports/figures.ts';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { compact } from '../../format/search.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';

interface LandedPanelProps {
  property: Property;
  /** The search parameters, with `page` set. */
  address: Pick<ReportAddress, 'search' | 'period'>;
  referrals: OverviewAnswer['referrals'];
}

/** The people who landed on the page: those that AI engines sent, and the conversions that are matched with such a visit. */
export function LandedPanel({ property, address: { search, period }, referrals }: LandedPanelProps) {
  const carriedOver = useCarriedOver();
  const landed = compact<Record<string, string>>({ landing_path: search.page, landing_host: search.host });
  const asked = { from: period.from, to: period.to, ...landed };
  const report = useQuery(conversionsQueries.report(property.id, asked, 'channel', 'last_click'));
  return (
    <section className="card panel" aria-label="People who landed here">
      <header className="panel-head">
        <h2>People who landed here</h2>
        <ReportLink to="referrals" className="quiet-link">
          All referrals
        </ReportLink>
      </header>
      <ul className="rank-list">
        <li>
          <div>
            AI referrals
            <span className="cell-detail">
              {referrals.top.map(({ engine }) => engine).join(', ') || 'no AI engine sent people here'}
            </span>
          </div>
          <span className="rank-figure number">
            <VisitsLink narrow={{ class: 'ai_referral' }} of="that AI engines sent">
              {countText(referrals.visits, referrals.estimated)}
            </VisitsLink>
          </span>
        </li>
        {report.data !== undefined && (
          <li>
            <div>
              Conversions
              <span className="cell-detail">
                {isZero(report.data.totals.conversions)
                  ? 'none in this period'
                  : report.data.totals.values.map(formatMoney).join(', ') || 'without a value'}
              </span>
            </div>
            <span className="rank-figure number">
              <Link
                to="/p/$propertyId/conversions"
                params={{ propertyId: property.id }}
                search={{ ...carriedOver('conversions'), ...landed }}
                className="figure-link"
              >
                {formatCount(report.data.totals.conversions)}
              </Link>
            </span>
          </li>
        )}
      </ul>
      {report.isPending && <Skeleton lines={2} label="Loading conversions" />}
      {report.error !== null && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
      <p className="aside">
        A conversion counts here if a visit that it is matched with landed on this page, from any channel.
        Pages that people opened later in a visit are not stored with a conversion.
      </p>
    </section>
  );
}
