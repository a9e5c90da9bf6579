import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../../api/types.ts';
import { useCarriedOver } from '../../../features/reports/carried.ts';
import { inTheseDays } from '../../../format/period.ts';
import { EmptyState } from '../../../parts/states.tsx';

interface NothingYetProps {
  property: Property;
  days: number;
  /** The number of destinations. */
  connected: number;
}

/** The empty list without filters: what deliveries need. */
export function NothingYet({ property, days, connected }: NothingYetProps) {
  const carriedOver = useCarriedOver();
  if (connected === 0) {
    return (
      <NoPlatform property={property}>
        After that, every matched conversion is listed here with its outcome.
      </NoPlatform>
    );
  }
  return (
    <EmptyState
      title={`Nothing to send ${inTheseDays(days)}`}
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
      Only matched conversions are sent. The next one appears here within seconds.
    </EmptyState>
  );
}

/** The empty state before the first platform is connected. */
export function NoPlatform({ property, children }: { property: Property; children: ReactNode }) {
  return (
    <EmptyState
      title="No platform connected"
      action={
        <Link
          to="/p/$propertyId/destinations"
          params={{ propertyId: property.id }}
          className="button button-primary"
        >
          Connect a platform
        </Link>
      }
    >
      {children}
    </EmptyState>
  );
}
