import type { Report } from '../../../features/conversions/api.ts';
import { formatCount, formatMoney } from '../../../features/conversions/money.ts';
import { matchRate } from './series.ts';

/** The totals of the period, one sum per currency. */
export function TotalsStrip({ report: { totals } }: { report: Report }) {
  const rate = matchRate(totals.matched, totals.conversions);
  return (
    <dl className="totals card" aria-label="The period at a glance">
      <div>
        <dt>Conversions</dt>
        <dd className="number">{formatCount(totals.conversions)}</dd>
      </div>
      <div className="totals-values">
        <dt>{totals.refunds.length > 0 ? 'Value after refunds' : 'Value'}</dt>
        {totals.values.length === 0 && <dd className="totals-none">not sent</dd>}
        {totals.values.map((amount) => (
          <dd key={amount.currency} className="number">
            {formatMoney(amount)}
          </dd>
        ))}
      </div>
      {totals.refunds.length > 0 && (
        <div className="totals-values">
          <dt>Refunded</dt>
          {totals.refunds.map((amount) => (
            <dd key={amount.currency} className="number totals-refund">
              {formatMoney(amount)}
            </dd>
          ))}
        </div>
      )}
      <div>
        <dt>Match rate</dt>
        <dd className="number">
          {rate === null ? '–' : `${rate} %`}
          <span className="totals-note">
            {formatCount(totals.matched)} of {formatCount(totals.conversions)}
          </span>
        </dd>
      </div>
    </dl>
  );
}
