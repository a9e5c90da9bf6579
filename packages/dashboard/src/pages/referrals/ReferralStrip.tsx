import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { FEW_WHY, fewText, isTooFew } from '../../features/conversions/few.ts';
import { type Amount, addDecimals, formatCount, formatMoney } from '../../features/conversions/money.ts';
import { useAtRest } from '../../features/page/rest.ts';
import { type ReportAnswer, reportQuery } from '../../features/reports/api.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import { countText } from '../../features/reports/figures.ts';
import { notFilteredText } from '../../features/reports/NoBots.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { Delta, Stat } from '../../features/reports/Stat.tsx';
import { useShared } from '../../features/session/shared.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';
import type { ReferralsAnswer } from './columns.tsx';

/** The visits behind the figures. */
export const REFERRED = { class: 'ai_referral' } as const;

/** The place of the list of landing pages. */
export const LANDING_ID = 'landing-pages';

interface ReferralStripProps {
  property: Property;
  answer: ReferralsAnswer;
  query: Readonly<Record<string, string>>;
}

/** Visits of people, what they bought where the viewer may know it, and where they landed. */
export function ReferralStrip({ property, answer, query }: ReferralStripProps) {
  const { totals } = answer;
  const shared = useShared();
  const carriedOver = useCarriedOver();
  const rests = useAtRest();
  const funnel = useQuery({
    ...reportQuery(property.id, 'funnel', query),
    enabled: rests && shared === null,
  });
  const bought = funnel.data === undefined ? null : boughtIn(funnel.data);
  const change = useBoughtChange(property, answer, query, rests && shared === null);
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
            aside={
              change !== null && (
                <BoughtChange
                  change={change}
                  of={(one) => Number(one.conversions)}
                  few={fewText(change.before.conversions)}
                />
              )
            }
            note={bought?.note ?? 'from AI engines'}
          />
          <Stat
            label="Value"
            value={bought === null ? wait : first === undefined ? '–' : formatMoney(first)}
            aside={
              change !== null &&
              first !== undefined && (
                <BoughtChange
                  change={change}
                  of={(one) => moneyOf(one, first.currency)}
                  few={moneyText(change.before, first.currency)}
                />
              )
            }
            note={
              others.length === 0 ? 'from these conversions' : `and ${others.map(formatMoney).join(', ')}`
            }
          />
        </>
      )}
      <Stat
        label="Landing pages"
        value={
          <ReportLink to="referrals" hash={LANDING_ID} className="figure-link" title="Show these pages">
            {countText(totals.pages)}
          </ReportLink>
        }
        note="where these visits began"
      />
    </dl>
  );
}

interface BoughtPair {
  readonly now: Bought;
  readonly before: Bought;
}

/** The change of a sum, in grey: how far such sums vary by chance is not known. */
function BoughtChange({
  change: { now, before },
  of,
  few,
}: {
  change: BoughtPair;
  of: (bought: Bought) => number;
  /** The earlier sum, where both are too small for a percentage. */
  few: string;
}) {
  if (isTooFew(before.conversions))
    return (
      <span className="delta quiet" title={FEW_WHY}>
        {few}
      </span>
    );
  const [later, earlier] = [of(now), of(before)];
  if (earlier <= 0) return null;
  return (
    <Delta
      of={{ change: later / earlier - 1, change_stands_out: false, previous: null }}
      pair={`${countText(later)} vs ${countText(earlier)}`}
    />
  );
}

/** `€914.00 before`. */
function moneyText({ values }: Bought, currency: string): string {
  const amount = values.find((one) => one.currency === currency);
  return amount === undefined ? fewText('0') : `${formatMoney(amount)} before`;
}

const moneyOf = ({ values }: Bought, currency: string): number =>
  Number(values.find((amount) => amount.currency === currency)?.value ?? 0);

/** What was bought in the days that are compared, and in those before; null: nothing is compared, or it is not known yet. */
function useBoughtChange(
  property: Property,
  { period: { from, previous }, compared_until: until, not_compared: gap }: ReferralsAnswer,
  query: Readonly<Record<string, string>>,
  enabled: boolean,
): BoughtPair | null {
  const isCompared = enabled && gap === null && previous !== null && until !== null;
  const of = (days: { readonly from: string; readonly to: string } | null) => ({
    ...reportQuery(property.id, 'funnel', { ...query, ...days }),
    enabled: isCompared,
  });
  const now = useQuery(of(until === null ? null : { from, to: until }));
  const before = useQuery(of(previous));
  if (!isCompared || now.data === undefined || before.data === undefined) return null;
  return { now: boughtIn(now.data), before: boughtIn(before.data) };
}

type Bought = ReturnType<typeof boughtIn>;

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
