import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { Mark } from '../../parts/Sign.tsx';
import { Time } from '../../parts/Time.tsx';
import { nameOf } from '../conversions/topics.ts';
import { PlatformGlyph } from '../destinations/PlatformGlyph.tsx';
import './lines.css';
import { visible } from '../../format/visible.ts';
import type { Delivery } from './api.ts';
import { skipName, statusWords } from './messages.ts';

interface DeliveryLinesProps {
  property: Property;
  items: readonly Delivery[];
  /** The name of a line: the conversion in the list of a destination, the destination in the list of a conversion. */
  name: 'conversion' | 'destination';
}

/** Deliveries, one line each, each a link to its timeline. */
export function DeliveryLines({ property, items, name }: DeliveryLinesProps) {
  return (
    <ul className="delivery-lines">
      {items.map((item) => (
        <li key={item.id}>
          <Link
            to="/p/$propertyId/deliveries"
            params={{ propertyId: property.id }}
            search={
              name === 'conversion'
                ? { destination: item.destination.id, open: item.id }
                : { q: item.conversion, open: item.id }
            }
            className="delivery-line"
          >
            {name === 'destination' && <PlatformGlyph platform={item.platform} size={22} />}
            <span className="delivery-line-name">
              {name === 'destination' ? (
                <strong>{item.destination.name}</strong>
              ) : (
                <>
                  <strong>{nameOf(item)}</strong> <code className="quiet">{visible(item.conversion_id)}</code>
                </>
              )}
            </span>
            <span className="delivery-line-state">
              <Mark {...statusWords(item.status)} />
              {item.status === 'skipped' && item.reason !== null && (
                <span className="quiet">{skipName(item.reason)}</span>
              )}
            </span>
            <span className="delivery-line-time">
              <Time value={item.settled_at ?? item.created_at} form="ago" />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
