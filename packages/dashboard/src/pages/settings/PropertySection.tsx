import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { Property, PropertyFields } from '../../api/types.ts';
import { PropertyForm } from '../../features/property/PropertyForm.tsx';
import { dayLabel } from '../../format/time.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';

const LOOK_AGAIN_MS = 3_000;

export function PropertySection({ property }: { property: Property }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: PropertyFields) => api.updateProperty(property.id, fields),
    onSuccess: async () => {
      await queryClient.invalidateQueries(queries.properties());
      announce('Saved');
    },
  });
  const isCounting = property.recount !== null;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => void queryClient.invalidateQueries(queries.properties()), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isCounting, queryClient]);
  return (
    <>
      <PropertyForm
        key={`${property.name} ${property.domain} ${property.time_zone}`}
        initial={property}
        submitLabel="Save"
        pending={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
      />
      {property.recount !== null && (
        <p className="field-hint" role="status">
          {`Days are being counted again in ${property.time_zone}: ${property.recount.counted} of ${property.recount.days}. Reports are right meanwhile, and a little slower.`}
        </p>
      )}
      {property.time_zone_since !== null && (
        <p className="field-hint">
          {`Days from ${dayLabel(property.time_zone_since)} on are days in ${property.time_zone}. Earlier days stay as they were counted: their single visits are no longer kept.`}
        </p>
      )}
    </>
  );
}
