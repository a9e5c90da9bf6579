import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import {
  type Delivery,
  type DestinationTotals,
  deliveriesQueries,
} from '../../../features/deliveries/api.ts';
import { type Period, periodIn, periodQuery } from '../../../format/period.ts';
import { visible } from '../../../format/visible.ts';
import { IconArrow } from '../../../parts/icons.tsx';
import type { DeliverySearch } from '../search.ts';

interface FlowCauseProps {
  property: Property;
  chosen: DestinationTotals;
  search: DeliverySearch;
  period: Period;
}

/** Below the funnel: why most of those that failed did, and the way to them. Empty where none failed. Messages are untrusted text. */
export function FlowCause({ property, chosen: { destination, dead }, search, period }: FlowCauseProps) {
  const { data = [] } = useQuery({
    ...deliveriesQueries.failed(property.id, { ...periodQuery(period), destination }),
    enabled: dead > 0,
  });
  if (dead === 0) return null;
  const [reason, count] = mostFrequent(data);
  return (
    <div className="flow-cause">
      <p className="break">
        {reason !== '' && (
          <>
            {count === dead ? 'All failed with: ' : `Most frequent reason (${count.toLocaleString('en')}): `}
            <strong>{visible(reason)}</strong>
          </>
        )}
      </p>
      <Link
        to="/p/$propertyId/deliveries"
        params={{ propertyId: property.id }}
        search={{ ...periodIn(search), destination, status: 'dead' }}
        className="button button-small"
      >
        See the {dead === 1 ? 'failed one' : `${dead.toLocaleString('en')} failed`}
        <IconArrow />
      </Link>
    </div>
  );
}

/** What is said of most of them. Of equally many, the newest. */
function mostFrequent(all: readonly Pick<Delivery, 'message' | 'reason'>[]): readonly [string, number] {
  const groups = Map.groupBy(all, ({ message, reason }) => message ?? reason ?? '');
  const [first] = [...groups].sort((a, b) => b[1].length - a[1].length);
  return first === undefined ? ['', 0] : [first[0], first[1].length];
}
