import type { Property } from '../../../api/types.ts';
import type { DestinationTotals, ForwardingReport } from '../../../features/deliveries/api.ts';
import { rateOf } from '../../../features/deliveries/rate.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { counted } from '../../../format/names.ts';
import { eligibleOf, lowestFirst, sumsOf } from '../model/counts.ts';
import { flowOf } from '../model/flow.ts';
import type { DeliveryChange, DeliverySearch } from '../search.ts';
import { Flow } from './Flow.tsx';

/** Explains the first figure: a repeated order counts once. */
function receivedSentence({ received, refunds }: ForwardingReport['totals']): string {
  const orders = counted(received - refunds, 'conversion');
  return refunds === 0
    ? `“Received” is ${orders} in this period. Repeated posts count once.`
    : `“Received” is ${orders} and ${counted(refunds, 'refund')} in this period. Repeated posts count once.`;
}

/** Below this number a rate is not significant. */
const FEW = 20;

interface FlowPanelProps {
  property: Property;
  report: ForwardingReport;
  chosen: DestinationTotals;
  search: DeliverySearch;
  onChange: (change: DeliveryChange) => void;
}

export function FlowPanel({ property, report: { totals }, chosen, search, onChange }: FlowPanelProps) {
  const rate = rateOf(chosen);
  const sums = sumsOf([chosen]);
  const eligible = eligibleOf(sums);
  const over = sums.delivered + sums.accepted + sums.dead + sums.unknown;
  return (
    <section className="card panel" aria-label={`Funnel of conversions to ${chosen.name}`}>
      <div className="flow-head">
        <PlatformGlyph platform={chosen.platform} />
        <div>
          <h2 className="flow-rate">
            {rate === null ? (
              eligible > 0 ? (
                'No results yet'
              ) : (
                'Nothing to send'
              )
            ) : (
              <>
                <span className="number">{rate}</span> accepted
              </>
            )}
          </h2>
          <p className="aside">
            {rate !== null && `by ${chosen.name}, of ${eligible.toLocaleString('en')} eligible.`}
            {rate === null &&
              (eligible > 0
                ? `${counted(eligible, 'conversion is', 'conversions are')} pending for ${chosen.name}.`
                : `Every matched conversion was skipped for ${chosen.name}, or there were none.`)}
            {rate !== null && over < eligible && ' Some are still pending.'}
            {rate !== null && eligible < FEW && ' This is a small number, so the rate varies widely.'}
          </p>
        </div>
        {totals.destinations.length > 1 && (
          <select
            className="input select flow-choice"
            aria-label="Destination"
            value={chosen.destination}
            onChange={(event) => onChange({ destination: event.target.value })}
          >
            {lowestFirst(totals.destinations).map(({ destination, name, deleted }) => (
              <option key={destination} value={destination}>
                {deleted ? `${name} (deleted)` : name}
              </option>
            ))}
          </select>
        )}
      </div>
      <p className="quiet">
        {receivedSentence(totals)} The Conversions page counts orders by the day they happened, without
        refunds.
      </p>
      <Flow
        property={property}
        stages={flowOf(totals.received, totals.matched, chosen)}
        search={search}
        destination={chosen.destination}
      />
    </section>
  );
}
