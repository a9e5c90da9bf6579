import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { queries } from '../api/queries.ts';
import type { Property } from '../api/types.ts';
import { useAnnounce } from '../parts/Announcer.tsx';
import { PropertyForm } from '../properties/PropertyForm.tsx';

export function PropertySection({ property }: { property: Property }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: { name: string; domain: string }) => api.updateProperty(property.id, fields),
    onSuccess: async () => {
      await queryClient.invalidateQueries(queries.properties());
      announce('Saved');
    },
  });
  return (
    <PropertyForm
      key={`${property.name} ${property.domain}`}
      initial={property}
      submitLabel="Save"
      pending={isPending}
      error={error}
      onSubmit={(fields) => mutate(fields)}
    />
  );
}
