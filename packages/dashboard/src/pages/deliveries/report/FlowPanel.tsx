import type { Property } from '../../../api/types.ts';
import type { DestinationTotals, ForwardingReport } from '../../../features/deliveries/api.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { counted } from '../../../format/names.ts';
import { rateOf, sumsOf } from '../model/counts.ts';
import { flowOf } from '../model/flow.ts';
import type { DeliveryChange, DeliverySearch } from '../search.ts';
import { Flow } from './Flow.tsx';

/** What is behind the first figure. An order that is sent again is not received again, under whichever topic. */
function receivedSentence({ received, refunds }: ForwardingReport['totals']): string {
  const orders = counted(received - refunds, 'conversion');
  return refunds === 0
    ? `“Received” is ${orders} that came in on these days, each counted once, however often it was sent.`
    : `“Received” is ${orders} and ${counted(refunds, 'refund')} that came in on these days, each counted once, however often it was sent.`;
}

/** Below this a rate is chance. */
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
  const due = sums.created - sums.skipped;
  const over = sums.delivered + sums.accepted + sums.dead + sums.unknown;
  return (
    <section className="card panel" aria-label={`How far conversions come on their way to ${chosen.name}`}>
      <div className="flow-head">
        <PlatformGlyph platform={chosen.platform} />
        <div>
          <h2 className="flow-rate">
            {rate === null ? (
              due > 0 ? (
                'Nothing is decided yet'
              ) : (
                'Nothing could be sent'
              )
            ) : (
              <>
                <span className="number">{rate}</span> accepted
              </>
            )}
          </h2>
          <p className="aside">
            {rate !== null && `by ${chosen.name}, of ${due.toLocaleString('en')} that could be sent.`}
            {rate === null &&
              (due > 0
                ? `${counted(due, 'conversion waits', 'conversions wait')} for ${chosen.name}.`
                : `Every conversion that matched was skipped for ${chosen.name}, or none came.`)}
            {rate !== null && over < due && ' Some are still on their way.'}
            {rate !== null && due < FEW && ' That is few: one more or less changes it.'}
          </p>
        </div>
        {totals.destinations.length > 1 && (
          <select
            className="input select flow-choice"
            aria-label="Destination"
            value={chosen.destination}
            onChange={(event) => onChange({ destination: event.target.value })}
          >
            {totals.destinations.map(({ destination, name, deleted }) => (
              <option key={destination} value={destination}>
                {deleted ? `${name} (deleted)` : name}
              </option>
            ))}
          </select>
        )}
      </div>
      <p className="quiet">
        {receivedSentence(totals)} The Conversions page counts orders on the days on which they happened, and
        no refunds.
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
