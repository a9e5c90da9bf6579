/** The property of the address, and all properties. Used below `AppShell`, which shows "not found" for an unknown one. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';

export function useProperties(): readonly Property[] {
  return useSuspenseQuery(queries.properties()).data;
}

/** Null when the address names an unknown property. */
export function useProperty(): Property | null {
  const { propertyId } = useParams({ strict: false });
  return useProperties().find(({ id }) => id === propertyId) ?? null;
}
