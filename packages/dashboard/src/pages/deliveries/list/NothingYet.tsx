import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../../api/types.ts';
import { useCarriedOver } from '../../../features/reports/carried.ts';
import { EmptyState } from '../../../parts/states.tsx';

interface NothingYetProps {
  property: Property;
  days: number;
  /** Destinations that there are. */
  connected: number;
}

/** An empty list without filters: what has to be there first. */
export function NothingYet({ property, days, connected }: NothingYetProps) {
  const carriedOver = useCarriedOver();
  if (connected === 0) {
    return (
      <NoPlatform property={property}>
        Once one is, every conversion that matched a visit is listed here with what became of it there.
      </NoPlatform>
    );
  }
  return (
    <EmptyState
      title={`Nothing to send in these ${days} days`}
      action={
        <Link
          to="/p/$propertyId/conversions"
          params={{ propertyId: property.id }}
          search={carriedOver('conversions')}
          className="button"
        >
          Look at conversions
        </Link>
      }
    >
      Only conversions that matched a visit are sent on. The next one appears here within seconds.
    </EmptyState>
  );
}

/** Before the first platform is connected there are no deliveries at all. */
export function NoPlatform({ property, children }: { property: Property; children: ReactNode }) {
  return (
    <EmptyState
      title="No platform is connected"
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
