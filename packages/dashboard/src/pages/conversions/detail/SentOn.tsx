import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { deliveriesQueries } from '../../../features/deliveries/api.ts';
import { DeliveryLines } from '../../../features/deliveries/DeliveryLines.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';

/** Where a matched conversion was sent, and what became of it there. */
export function SentOn({ property, conversion }: { property: Property; conversion: string }) {
  const { data, error, refetch } = useQuery(deliveriesQueries.latest(property.id, { q: conversion }));
  return (
    <section>
      <h3>Sent on</h3>
      {data === undefined && error === null && <Skeleton lines={2} label="Loading deliveries" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <p className="quiet">
          To nobody: no platform was connected when it came.{' '}
          <Link to="/p/$propertyId/destinations" params={{ propertyId: property.id }}>
            Destinations
          </Link>
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <DeliveryLines property={property} items={data} name="destination" />
      )}
    </section>
  );
}
