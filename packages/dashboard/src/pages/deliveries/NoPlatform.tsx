import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { EmptyState } from '../../parts/states.tsx';

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
