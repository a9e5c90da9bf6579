import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { type Amount, addDecimals, formatCount, formatMoney } from '../../features/conversions/money.ts';
import { useAtRest } from '../../features/page/rest.ts';
import { type ReportAnswer, reportQuery } from '../../features/reports/api.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import { countText } from '../../features/reports/figures.ts';
import { notFilteredText } from '../../features/reports/NoBots.tsx';
import { Delta, Stat } from '../../features/reports/Stat.tsx';
import { useShared } from '../../features/session/shared.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';
import type { ReferralsAnswer } from './columns.tsx';

/** The visits behind the figures. */
export const REFERRED = { class: 'ai_referral' } as const;

interface ReferralStripProps {
  property: Property;
  totals: ReferralsAnswer['totals'];
  query: Readonly<Record<string, string>>;
}

/** Visits of people, what they bought where the viewer may know it, and where they landed. */
export function ReferralStrip({ property, totals, query }: ReferralStripProps) {
  const shared = useShared();
  const carriedOver = useCarriedOver();
  const rests = useAtRest();
  const funnel = useQuery({
    ...reportQuery(property.id, 'funnel', query),
    enabled: rests && shared === null,
  });
  const bought = funnel.data === undefined ? null : boughtIn(funnel.data);
  const [first, ...others] = bought?.values ?? [];
  const wait = funnel.isError ? '–' : <span className="wait-bar" style={{ width: '4ch' }} />;
  return (
    <dl className="stat-strip card" aria-label="Referrals at a glance">
      <Stat
        label="Visits"
        value={
          <VisitsLink narrow={REFERRED} of="that AI engines sent">
            {countText(totals.visits, totals.estimated)}
          </VisitsLink>
        }
        aside={<Delta of={totals} more="good" />}
        note={`from ${counted(totals.engines, 'engine')}`}
      />
      {shared === null && (
        <>
          <Stat
            label="Conversions"
            value={
              bought === null ? (
                wait
              ) : (
                <Link
                  to="/p/$propertyId/conversions"
                  params={{ propertyId: property.id }}
                  search={{ ...carriedOver('conversions'), channel: 'ai_assistant' }}
                  className="figure-link"
                >
                  {formatCount(bought.conversions)}
                </Link>
              )
            }
            note={bought?.note ?? 'from AI engines'}
          />
          <Stat
            label="Value"
            value={bought === null ? wait : first === undefined ? '–' : formatMoney(first)}
            note={
              others.length === 0 ? 'from these conversions' : `and ${others.map(formatMoney).join(', ')}`
            }
          />
        </>
      )}
      <Stat
        label="Landing pages"
        value={
          <VisitsLink narrow={REFERRED} of="that landed on them">
            {countText(totals.pages)}
          </VisitsLink>
        }
        note="where these visits began"
      />
    </dl>
  );
}

/** What all engines together brought, the currency with the most conversions' value first as the service lists them. */
function boughtIn({ items, conversions: { cut }, not_filtered: apart }: ReportAnswer<'funnel'>) {
  const converted = items.flatMap(({ converted }) => converted ?? []);
  const currencies = [...new Set(converted.flatMap(({ values }) => values.map(({ currency }) => currency)))];
  const valueIn = (currency: string) =>
    addDecimals(
      ...converted.flatMap(({ values }) =>
        values.filter((amount) => amount.currency === currency).map(({ value }) => value),
      ),
    );
  return {
    conversions: addDecimals(...converted.map(({ conversions }) => conversions)),
    values: currencies.map((currency): Amount => ({ currency, value: valueIn(currency) })),
    note: cut
      ? 'at least this many; not all were counted'
      : apart.conversions === undefined
        ? null
        : notFilteredText(apart.conversions),
  };
}
