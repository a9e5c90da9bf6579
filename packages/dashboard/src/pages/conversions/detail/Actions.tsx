import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import type { ConversionDetail } from '../../../features/conversions/api.ts';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { dayIn } from '../../../format/time.ts';
import { IconArrow } from '../../../parts/icons.tsx';

interface ActionsProps {
  property: Property;
  item: ConversionDetail;
  /** Of this conversion; undefined: not loaded, or never sent. */
  deliveries: readonly Delivery[] | undefined;
  /** Opens the order of a refund. */
  onOpen: (id: string) => void;
}

/** What can be done with a conversion, before what is known of it. */
export function Actions({ property, item, deliveries = [], onOpen }: ActionsProps) {
  const day = dayIn(property.time_zone, Date.parse(item.received_at));
  if (deliveries.length === 0 && item.order === null) return null;
  return (
    <div className="panel-actions">
      {deliveries.length > 0 && (
        <Link
          to="/p/$propertyId/deliveries"
          params={{ propertyId: property.id }}
          search={{ q: item.id, from: day, to: day }}
          className="button button-small"
        >
          Show deliveries
          <IconArrow />
        </Link>
      )}
      {item.order !== null && (
        <button type="button" className="button button-small" onClick={() => onOpen(item.order ?? '')}>
          Open the order
        </button>
      )}
    </div>
  );
}
