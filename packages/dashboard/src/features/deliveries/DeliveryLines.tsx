import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { Mark } from '../../parts/Sign.tsx';
import { PlatformGlyph } from '../destinations/PlatformGlyph.tsx';
import './lines.css';
import type { Delivery } from './api.ts';
import { skipName, statusWords } from './messages.ts';

interface DeliveryLinesProps {
  property: Property;
  /** All of one conversion. */
  items: readonly Delivery[];
}

/** Where a conversion was sent, one line for each destination, each a link to its timeline. */
export function DeliveryLines({ property, items }: DeliveryLinesProps) {
  return (
    <ul className="delivery-lines">
      {items.map((item) => (
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
              <Mark {...statusWords(item.status)} />
              {item.status === 'skipped' && item.reason !== null && (
                <span className="quiet">{skipName(item.reason)}</span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
