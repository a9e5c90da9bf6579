import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { worthOf } from '../../../features/conversions/money.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { statusWords } from '../../../features/deliveries/messages.ts';
import { Outcome } from '../../../features/deliveries/Outcome.tsx';
import { StateMark } from '../../../features/deliveries/StateMark.tsx';
import type { Destination } from '../../../features/destinations/api.ts';
import { visible } from '../../../format/visible.ts';
import { Time } from '../../../parts/Time.tsx';

interface LatestDeliveriesProps {
  property: Property;
  destination: Destination;
  items: readonly Delivery[];
}

/** The newest deliveries, each row a link to its timeline. Ids and messages are untrusted text. */
export function LatestDeliveries({ property, destination, items }: LatestDeliveriesProps) {
  return (
    <div className="table-card">
      <table className="table latest-table" aria-labelledby="latest-title">
        <thead>
          <tr>
            <th scope="col">Conversion</th>
            <th scope="col">State</th>
            <th scope="col">Details</th>
            <th scope="col" className="cell-number">
              Value
            </th>
            <th scope="col" className="cell-number">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <th scope="row">
                <Link
                  to="/p/$propertyId/deliveries"
                  params={{ propertyId: property.id }}
                  search={{ destination: destination.id, open: item.id }}
                  className="row-link"
                  aria-label={`${nameOf(item)} ${visible(item.conversion_id)}, ${statusWords(item.status).title}: details`}
                >
                  {nameOf(item)}
                </Link>{' '}
                <code className="quiet">{visible(item.conversion_id)}</code>
              </th>
              <td className="cell-state">
                <StateMark status={item.status} />
              </td>
              <td className="cell-outcome">
                <Outcome item={item} destination={destination} />
              </td>
              <td className="cell-number cell-value">{worthOf(item) ?? <span className="quiet">–</span>}</td>
              <td className="cell-number cell-time">
                <Time value={item.settled_at ?? item.created_at} form="recent" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
