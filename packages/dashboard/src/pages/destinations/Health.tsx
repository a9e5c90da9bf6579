import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import type { StatusFilter } from '../../features/deliveries/api.ts';
import type { Destination } from '../../features/destinations/api.ts';
import { Time } from '../../parts/Time.tsx';

/** How it goes, in figures; each leads to the deliveries that it counts. */
export function Health({ property, destination }: { property: Property; destination: Destination }) {
  const { health } = destination;
  const figures: readonly (readonly [name: string, count: number, status: StatusFilter, note: string])[] = [
    ['Waiting', health.waiting, 'waiting', 'now'],
    ['Delivered', health.delivered_24h, 'delivered', '24 h'],
    ['Skipped', health.skipped_24h, 'skipped', '24 h'],
    ['Failed', health.dead_24h, 'dead', '24 h'],
    ...(health.unknown_24h > 0 ? [['Unknown', health.unknown_24h, 'unknown', '24 h'] as const] : []),
  ];
  return (
    <dl className="health">
      {figures.map(([name, count, status, note]) => (
        <div key={name} data-status={status} data-some={count > 0}>
          <dt>
            {name} <span className="health-note">{note}</span>
          </dt>
          <dd className="number">
            {count === 0 ? (
              '0'
            ) : (
              <Link
                to="/p/$propertyId/deliveries"
                params={{ propertyId: property.id }}
                search={{ destination: destination.id, status }}
                aria-label={`${count.toLocaleString('en')} ${name.toLowerCase()}: show them`}
              >
                {count.toLocaleString('en')}
              </Link>
            )}
            {status === 'waiting' && health.oldest_waiting_at !== null && (
              <span className="health-oldest">
                oldest <Time value={health.oldest_waiting_at} form="ago" />
              </span>
            )}
          </dd>
        </div>
      ))}
      <div>
        <dt>Last delivered</dt>
        <dd className="health-last">
          <Time value={health.last_delivered_at} form="ago" none="never yet" />
        </dd>
      </div>
    </dl>
  );
}
