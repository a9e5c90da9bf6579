import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { ChartFactsContext } from '../../../features/charts/facts.ts';
import {
  type DestinationTotals,
  deliveriesQueries,
  type ForwardingReport,
} from '../../../features/deliveries/api.ts';
import { factsOf } from '../../../features/deliveries/facts.ts';
import { destinationsQueries } from '../../../features/destinations/api.ts';
import { useCarriedOver } from '../../../features/reports/carried.ts';
import { counted } from '../../../format/names.ts';
import { inTheseDays, periodQuery } from '../../../format/period.ts';
import { EmptyState, ErrorState, ofThisChoice, Skeleton } from '../../../parts/states.tsx';
import type { DeliveryViewProps } from '../list/ListView.tsx';
import { NoPlatform } from '../list/NothingYet.tsx';
import { lowestFirst } from '../model/counts.ts';
import { DayPanel } from './DayPanel.tsx';
import { DestinationRates } from './DestinationRates.tsx';
import { FlowPanel } from './FlowPanel.tsx';

/** The share of delivered conversions per destination and day, and the outcome of the others. */
export function AccuracyView({ property, search, period, onChange }: DeliveryViewProps) {
  const report = ofThisChoice(useQuery(deliveriesQueries.report(property.id, periodQuery(period))));
  const { data, error, isPending, isPlaceholderData, refetch } = report;
  const destinations = useQuery(destinationsQueries.list(property.id));
  if (isPending) return <Skeleton lines={9} label="Loading the report" />;
  if (data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const chosen = chosenOf(data, search.destination);
  if (chosen === null) return <NotEnough property={property} report={data} days={period.days} />;
  return (
    <ChartFactsContext value={factsOf(property, period)}>
      <div className="accuracy" data-stale={isPlaceholderData}>
        {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        <DestinationRates
          totals={data.totals.destinations}
          chosen={chosen}
          paused={new Set(destinations.data?.filter(({ state }) => state === 'paused').map(({ id }) => id))}
          onChoose={(destination) => onChange({ destination })}
        />
        <FlowPanel property={property} report={data} chosen={chosen} search={search} period={period} />
        <DayPanel report={data} chosen={chosen} period={period} onChange={onChange} />
      </div>
    </ChartFactsContext>
  );
}

/** The destination of the address, else the one with the lowest rate. */
function chosenOf({ totals }: ForwardingReport, id: string | undefined): DestinationTotals | null {
  const named = totals.destinations.find(({ destination }) => destination === id);
  const one = named ?? lowestFirst(totals.destinations)[0];
  return one === undefined || totals.matched + one.created === 0 ? null : one;
}

interface NotEnoughProps {
  property: Property;
  report: ForwardingReport;
  days: number;
}

function NotEnough({ property, report: { totals }, days }: NotEnoughProps) {
  const carriedOver = useCarriedOver();
  if (totals.destinations.length === 0) {
    return (
      <NoPlatform property={property}>
        Of {counted(totals.received, 'conversion')} received {inTheseDays(days)},{' '}
        {totals.matched.toLocaleString('en')} matched a visit and none was sent.
      </NoPlatform>
    );
  }
  return (
    <EmptyState
      title="Not enough data"
      action={
        <Link
          to="/p/$propertyId/conversions"
          params={{ propertyId: property.id }}
          search={carriedOver('conversions')}
          className="button"
        >
          View conversions
        </Link>
      }
    >
      {totals.received === 0
        ? `No conversion was received ${inTheseDays(days)}.`
        : `${counted(totals.received, 'conversion was', 'conversions were')} received ${inTheseDays(days)}, but none matched a visit. Only matched conversions are sent.`}{' '}
      A conversion counts here on the day on which it arrived.
    </EmptyState>
  );
}
