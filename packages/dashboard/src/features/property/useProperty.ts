/** The property of the address, and all of them. Used below `AppShell`, which has seen to it that the property exists. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';

export function useProperties(): readonly Property[] {
  return useSuspenseQuery(queries.properties()).data;
}

/** Null when the address names a property that isn't there. */
export function useProperty(): Property | null {
  const { propertyId } = useParams({ strict: false });
  return useProperties().find(({ id }) => id === propertyId) ?? null;
}
