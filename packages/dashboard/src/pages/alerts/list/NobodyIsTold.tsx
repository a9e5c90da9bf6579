import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { IconInfo } from '../../../parts/icons.tsx';
import { alertsQueries } from '../api.ts';

/** Alerts that nobody hears of are found too late. */
export function NobodyIsTold({ property }: { property: Property }) {
  const { data } = useQuery(alertsQueries.channels(property.id));
  if (data === undefined || data.items.some(({ enabled }) => enabled)) return null;
  return (
    <div className="notice">
      <IconInfo />
      <p>Nobody is told of alerts yet: they stand here alone.</p>
      <Link
        to="/p/$propertyId/alerts"
        params={{ propertyId: property.id }}
        search={{ view: 'channels' }}
        className="button button-small"
      >
        Add a channel
      </Link>
    </div>
  );
}
