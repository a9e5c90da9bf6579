import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { visible } from '../../format/visible.ts';
import { IconChevronRight } from '../../parts/icons.tsx';
import type { Destination } from '../destinations/api.ts';
import { PlatformGlyph } from '../destinations/PlatformGlyph.tsx';
import { RequirePermission } from '../session/RequirePermission.tsx';
import './lines.css';
import type { Delivery } from './api.ts';
import { reasonOf } from './Outcome.tsx';
import { byDestination } from './order.ts';
import { ReplayControl } from './ReplayControl.tsx';
import { StateMark } from './StateMark.tsx';

interface DeliveryLinesProps {
  property: Property;
  /** All of one conversion. */
  items: readonly Delivery[];
  destinations: readonly Destination[];
}

/** What asks for a person first. */
const byConcern = (a: Delivery, b: Delivery): number => rankOf(a) - rankOf(b) || byDestination(a, b);
const rankOf = ({ status }: Delivery): number => ['dead', 'unknown', 'retry'].indexOf(status) + 1 || 4;

/**
 * Where a conversion was sent, one line for each destination, each a link to its timeline; those that failed are first, and can be sent
 * again. Messages are untrusted text.
 */
export function DeliveryLines({ property, items, destinations }: DeliveryLinesProps) {
  return (
    <ul className="delivery-lines">
      {items.toSorted(byConcern).map((item) => {
        const reason =
          item.status === 'delivered'
            ? ''
            : visible(
                reasonOf(
                  item,
                  destinations.find(({ id }) => id === item.destination.id),
                ),
              );
        return (
          <li key={item.id}>
            <Link
              to="/p/$propertyId/deliveries"
              params={{ propertyId: property.id }}
              search={{ q: item.conversion, open: item.id }}
              className="delivery-line"
            >
              <PlatformGlyph platform={item.platform} size={22} />
              <strong className="delivery-line-name">{item.destination.name}</strong>
              <span className="delivery-line-state">
                <StateMark status={item.status} />
              </span>
              <IconChevronRight />
              {reason !== '' && <span className="delivery-line-reason">{reason}</span>}
            </Link>
            {item.replayable && item.status !== 'skipped' && (
              <div className="delivery-line-act">
                <RequirePermission>
                  <ReplayControl property={property} item={item} />
                </RequirePermission>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
