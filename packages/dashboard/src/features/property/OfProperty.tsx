import type { ComponentType } from 'react';
import type { Property } from '../../api/types.ts';
import { useProperty } from './useProperty.ts';

/** A page of the open property. Another property begins with fresh state. */
export function OfProperty({ view: View }: { view: ComponentType<{ property: Property }> }) {
  const property = useProperty();
  return property === null ? null : <View key={property.id} property={property} />;
}
