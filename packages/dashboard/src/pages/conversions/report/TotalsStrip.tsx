import { DAY_MS } from '@ghostlight/core/time';
import { Fragment, useContext } from 'react';
import type { Report } from '../../../features/conversions/api.ts';
import { FEW_WHY, isTooFew } from '../../../features/conversions/few.ts';
import { type Amount, formatCount, isZero, moneyOf } from '../../../features/conversions/money.ts';
import { Term } from '../../../features/glossary/Term.tsx';
import { ComparisonContext, withoutText } from '../../../features/reports/comparison.ts';
import { Delta, Stat } from '../../../features/reports/Stat.tsx';
import { counted } from '../../../format/names.ts';
import { ListLink } from '../list/ListLink.tsx';
import { comparedSums, pairText } from './compared.ts';
import { type Currencies, chosenFirst, valueName } from './currencies.ts';
import { AI_CHANNEL, fromAi } from './from-ai.ts';
import { withGoneAmounts } from './gone.ts';
import { matchRate } from './series.ts';

interface TotalsStripProps {
  report: Report;
  /** The same conversions by channel; absent while it loads. */
  channels: Report | undefined;
  currencies: Currencies;
}

/** The totals of the period with their changes. Currencies are never added up: the chosen one is first, each other has a line of its own. */
export function TotalsStrip({ report: { totals, comparison }, channels, currencies }: TotalsStripProps) {
  const earlier = comparison?.totals ?? undefined;
  const rate = matchRate(totals.matched, totals.conversions);
  const rateBefore = earlier === undefined ? null : matchRate(earlier.matched, earlier.conversions);
  const [amount, ...others] = chosenFirst(withGoneAmounts(totals.values, earlier?.values), currencies);
  const refunds = chosenFirst(totals.refunds, currencies);
  const money = moneyOf([...totals.values, ...totals.refunds, ...(earlier?.values ?? [])]);
  const changeOf = (code: string) => earlier?.values.find(({ currency }) => currency === code);
  const amountBefore = amount?.before ?? (amount && changeOf(amount.currency));
  const pairOf = (currency: string | null) => {
    const sums = channels === undefined ? null : comparedSums(channels, currency);
    const format = (value: string) => (currency === null ? formatCount(value) : money({ currency, value }));
    return sums === null ? undefined : pairText(sums, format);
  };
  return (
    <dl className="stat-strip totals card" aria-label="The period at a glance">
      <Stat
        label="Conversions"
        value={<ListLink>{formatCount(totals.conversions)}</ListLink>}
        aside={<Delta of={earlier} more="good" pair={pairOf(null)} />}
        note={earlier && <Than figure={formatCount(earlier.conversions)} pair={pairOf(null)} />}
      />
      <FromAi report={channels} currencies={currencies} money={money} />
      <Stat
        label={totals.refunds.length > 0 ? 'Value after refunds' : 'Value'}
        value={amount === undefined ? '–' : money(amount)}
        // Why there is no comparison is said once, beside the number.
        aside={
          earlier !== undefined &&
          amount && <Delta of={changeOf(amount.currency)} more="good" pair={pairOf(amount.currency)} />
        }
        note={
          amount === undefined
            ? 'not sent'
            : [
                amountBefore !== undefined && (
                  <Than key="than" figure={money(amountBefore)} pair={pairOf(amount.currency)} />
                ),
                ...others.map((other) => (
                  <div key={other.currency} className="totals-other">
                    {money(other)}{' '}
                    {earlier !== undefined && (
                      <Delta of={changeOf(other.currency)} more="good" pair={pairOf(other.currency)} />
                    )}
                    {other.before !== undefined && <Than figure={money(other.before)} />}
                  </div>
                )),
                refunds.length > 0 && (
                  <div key="refunds">
                    {refunds.map((refund, index) => (
                      <Fragment key={refund.currency}>
                        {index > 0 && ', '}
                        <Refunded
                          text={money(refund)}
                          before={earlier?.refunds.find(({ currency }) => currency === refund.currency)}
                          days={inDays(comparison)}
                          money={money}
                        />
                      </Fragment>
                    ))}{' '}
                    refunded
                  </div>
                ),
              ]
        }
      />
      <Stat
        label={<Term name="matched">Match rate</Term>}
        value={rate === null ? '–' : `${rate}%`}
        note={
          <>
            {rateBefore !== null && (
              <>
                <Than figure={`${rateBefore}%`} days={inDays(comparison)} /> ·{' '}
              </>
            )}
            <ListLink narrow={{ matched: 'yes' }}>{formatCount(totals.matched)}</ListLink> of{' '}
            {formatCount(totals.conversions)}
          </>
        }
      />
    </dl>
  );
}

/** `29 days`: fewer than the period has, so that both sums can't be set against each other. Empty: as many. */
function inDays(comparison: Report['comparison']): string {
  const { previous = null, days = 0 } = comparison?.period ?? {};
  if (previous === null) return '';
  const compared = Math.round((Date.parse(previous.to) - Date.parse(previous.from)) / DAY_MS) + 1;
  return compared < days ? counted(compared, 'day') : '';
}

interface RefundedProps {
  text: string;
  /** On the days compared with. */
  before: Amount | undefined;
  days: string;
  money: (amount: Amount) => string;
}

/** A sum that was paid back; what it was before is on hover. */
function Refunded({ text, before, days, money }: RefundedProps) {
  const { than } = useContext(ComparisonContext);
  const then =
    before === undefined || than === ''
      ? undefined
      : `${than}${days === '' ? '' : ` (${days})`}: ${money(before)}`;
  return <span title={then}>{text}</span>;
}

interface FromAiProps {
  report: Report | undefined;
  currencies: Currencies;
  money: (amount: Amount) => string;
}

function FromAi({ report, currencies, money }: FromAiProps) {
  const found = report === undefined ? null : fromAi(report, currencies.chosen);
  const { amount = null, share = null, earlier } = found ?? {};
  const sums = report === undefined ? null : comparedSums(report, null, AI_CHANNEL);
  const pair = sums === null ? undefined : pairText(sums, formatCount);
  return (
    <Stat
      label="From AI engines"
      value={
        found === null ? (
          '–'
        ) : isZero(found.conversions) ? (
          formatCount(found.conversions)
        ) : (
          <ListLink narrow={{ channel: AI_CHANNEL }} isCredit>
            {formatCount(found.conversions)}
          </ListLink>
        )
      }
      aside={<Delta of={earlier} more="good" pair={pair} isFurther />}
      note={
        <>
          {sums !== null && (
            <Than
              figure={formatCount(sums.before)}
              pair={pair}
              why={isTooFew(sums.before) ? FEW_WHY : undefined}
            />
          )}
          {amount !== null && (
            <div>
              {money(amount)}
              {share !== null && `, ${share}% of ${valueName(currencies)}`}
            </div>
          )}
        </>
      }
    />
  );
}

interface ThanProps {
  /** What it was on the days compared with. */
  figure: string;
  /** The sums of the change, which leave out a day that is not over: `153 vs 124`. */
  pair?: string | undefined;
  /** How many days it is of, where they are fewer than those of the figure beside it. */
  days?: string;
  /** Why there is no change beside the figure. */
  why?: string | undefined;
}

/**
 * `vs 124`, below a figure: the same of the days compared with. A hint names the days, and where the change leaves out a day that is not
 * over, both its sums.
 */
function Than({ figure, pair, days = '', why }: ThanProps) {
  const { than, without } = useContext(ComparisonContext);
  const isPart = without !== '' && pair !== undefined;
  const hint = isPart
    ? `${than}${withoutText({ without })}: ${pair}`
    : `${than}${days === '' ? '' : ` (${days})`}: ${figure}`;
  return (
    <span title={why === undefined ? hint : `${hint}. ${why}`}>
      vs {figure}
      <span className="visually-hidden"> on {than}</span>
    </span>
  );
}
