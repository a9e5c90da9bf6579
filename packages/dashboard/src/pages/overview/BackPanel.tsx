import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import type { OverviewAnswer } from '../../features/reports/api.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import { countText } from '../../features/reports/figures.ts';
import { NotFiltered, notFilteredText } from '../../features/reports/NoBots.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { Delta } from '../../features/reports/Stat.tsx';
import { useShared } from '../../features/session/shared.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';

interface BackPanelProps {
  answer: OverviewAnswer;
  property: Property;
}

/** People that AI engines sent, and conversions, side by side, without claiming that one led to the other. */
export function BackPanel({
  answer: { referrals, conversions, not_filtered: apart },
  property,
}: BackPanelProps) {
  const carriedOver = useCarriedOver();
  const shared = useShared();
  const most = Math.max(1, ...referrals.top.map(({ visits }) => visits));
  return (
    <section className="card panel" aria-label="AI referrals">
      <header className="panel-head">
        <h2>AI referrals</h2>
        <ReportLink to="referrals" className="quiet-link">
          All referrals
        </ReportLink>
      </header>
      {referrals.visits === 0 ? (
        <p className="aside">No AI referrals in this period.</p>
      ) : (
        <>
          <ul className="rank-list">
            {referrals.top.map(({ engine, visits, estimated }) => (
              <li key={engine}>
                <div>{engine}</div>
                <SplitBar
                  width={240}
                  of={most}
                  parts={[{ key: 'visits', paint: 'ai_referral', value: visits }]}
                />
                <span className="rank-figure number">
                  <VisitsLink narrow={{ class: 'ai_referral', engine }}>
                    {countText(visits, estimated)}
                  </VisitsLink>
                </span>
              </li>
            ))}
          </ul>
          <p className="aside">
            <VisitsLink narrow={{ class: 'ai_referral' }} of="that AI engines sent">
              {countText(referrals.visits, referrals.estimated)} visits
            </VisitsLink>{' '}
            in total <Delta of={referrals} more="good" isFurther />
          </p>
        </>
      )}
      <NotFiltered by={apart.referrals} />
      <p className="aside" hidden={shared !== null}>
        {shared !== null ? null : conversions.available ? (
          <>
            {counted(Number(conversions.conversions), 'conversion')} happened in this period;{' '}
            <Link
              to="/p/$propertyId/conversions"
              params={{ propertyId: property.id }}
              search={{ ...carriedOver('conversions'), channel: 'ai_assistant' }}
            >
              see which came from an AI engine
            </Link>
            .{apart.conversions !== undefined && ` ${notFilteredText(apart.conversions)}`}
          </>
        ) : (
          <>
            To see whether they buy,{' '}
            <Link to="/p/$propertyId/webhooks" params={{ propertyId: property.id }}>
              let your shop post its orders
            </Link>
            .
          </>
        )}
      </p>
    </section>
  );
}
