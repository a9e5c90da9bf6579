/** The property of the address, and all properties. Used below `AppShell`, which shows "not found" for an unknown one. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';
import { useShared } from '../session/shared.ts';

export function useProperties(): readonly Property[] {
  const shared = useShared();
  const ofSession = queries.properties();
  const ofLink = {
    queryKey: ['properties', 'shared', shared?.property.id] as unknown as typeof ofSession.queryKey,
    queryFn: async () => (shared === null ? [] : [shared.property]),
    staleTime: Number.POSITIVE_INFINITY,
  };
  return useSuspenseQuery({ ...ofSession, ...(shared === null ? {} : ofLink) }).data;
}

/** Null when the address names an unknown property. */
export function useProperty(): Property | null {
  const { propertyId } = useParams({ strict: false });
  const shared = useShared();
  return useProperties().find(({ id }) => id === (shared?.property.id ?? propertyId)) ?? null;
}
