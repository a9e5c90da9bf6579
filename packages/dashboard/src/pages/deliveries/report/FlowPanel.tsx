import type { Property } from '../../../api/types.ts';
import type { DestinationTotals, ForwardingReport } from '../../../features/deliveries/api.ts';
import { percentOf } from '../../../features/deliveries/rate.ts';
import { sumsOf } from '../../../features/deliveries/sums.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { counted } from '../../../format/names.ts';
import type { Period } from '../../../format/period.ts';
import { eligibleOf, finishedOf } from '../model/counts.ts';
import { flowOf } from '../model/flow.ts';
import type { DeliverySearch } from '../search.ts';
import { Flow } from './Flow.tsx';
import { FlowCause } from './FlowCause.tsx';
import { FlowFiles } from './FlowFiles.tsx';

/** Below this number a rate is not significant. */
const FEW = 20;

interface FlowPanelProps {
  property: Property;
  report: ForwardingReport;
  chosen: DestinationTotals;
  search: DeliverySearch;
  period: Period;
}

export function FlowPanel({ property, report: { totals }, chosen, search, period }: FlowPanelProps) {
  const rate = percentOf(chosen.rate);
  const sums = sumsOf([chosen]);
  const eligible = eligibleOf(sums);
  const finished = finishedOf(sums);
  const stages = flowOf(totals.received, totals.matched, chosen);
  return (
    <section className="card panel" aria-label={`Funnel of conversions to ${chosen.name}`}>
      <div className="flow-head">
        <PlatformGlyph platform={chosen.platform} />
        <div>
          <h2 className="flow-rate">
            {chosen.name}:{' '}
            {rate === null ? (
              eligible > 0 ? (
                'no results yet'
              ) : (
                'nothing to send'
              )
            ) : (
              <>
                <span className="number">{rate}</span> delivered
              </>
            )}
          </h2>
          <p className="aside">
            {rate !== null && `of ${counted(finished, 'finished delivery', 'finished deliveries')}.`}
            {rate === null &&
              (eligible > 0
                ? `${counted(eligible, 'conversion is', 'conversions are')} not finished yet.`
                : 'Every matched conversion was skipped, or there were none.')}
            {rate !== null &&
              finished < eligible &&
              ` ${counted(eligible - finished, 'more is', 'more are')} not finished yet.`}
            {rate !== null && finished < FEW && ' This is a small number, so the rate varies widely.'}
          </p>
        </div>
        <FlowFiles title={`Conversions to ${chosen.name}`} stages={stages} />
      </div>
      <Flow
        property={property}
        stages={stages}
        refunds={totals.refunds}
        search={search}
        destination={chosen.destination}
      />
      <FlowCause property={property} chosen={chosen} search={search} period={period} />
    </section>
  );
}
