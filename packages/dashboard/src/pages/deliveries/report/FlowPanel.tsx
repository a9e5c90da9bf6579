import type { Property } from '../../../api/types.ts';
import type { DestinationTotals, ForwardingReport } from '../../../features/deliveries/api.ts';
import { percentOf } from '../../../features/deliveries/rate.ts';
import { sumsOf } from '../../../features/deliveries/sums.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { counted } from '../../../format/names.ts';
import { eligibleOf, finishedOf, worstFirst } from '../model/counts.ts';
import { flowOf } from '../model/flow.ts';
import type { DeliveryChange, DeliverySearch } from '../search.ts';
import { Flow } from './Flow.tsx';

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
  const rate = percentOf(chosen.rate);
  const sums = sumsOf([chosen]);
  const eligible = eligibleOf(sums);
  const finished = finishedOf(sums);
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
                <span className="number">{rate}</span> delivered
              </>
            )}
          </h2>
          <p className="aside">
            {rate !== null &&
              `of ${counted(finished, 'finished delivery', 'finished deliveries')} to ${chosen.name}.`}
            {rate === null &&
              (eligible > 0
                ? `${counted(eligible, 'conversion is', 'conversions are')} pending for ${chosen.name}.`
                : `Every matched conversion was skipped for ${chosen.name}, or there were none.`)}
            {rate !== null &&
              finished < eligible &&
              ` ${counted(eligible - finished, 'more is', 'more are')} pending.`}
            {rate !== null && finished < FEW && ' This is a small number, so the rate varies widely.'}
          </p>
        </div>
        {totals.destinations.length > 1 && (
          <select
            className="input select flow-choice"
            aria-label="Destination"
            value={chosen.destination}
            onChange={(event) => onChange({ destination: event.target.value })}
          >
            {worstFirst(totals.destinations).map(({ destination, name, deleted }) => (
              <option key={destination} value={destination}>
                {deleted ? `${name} (deleted)` : name}
              </option>
            ))}
          </select>
        )}
      </div>
      <Flow
        property={property}
        stages={flowOf(totals.received, totals.matched, chosen)}
        refunds={totals.refunds}
        search={search}
        destination={chosen.destination}
      />
    </section>
  );
}
