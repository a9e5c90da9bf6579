import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import {
  type Destination,
  destinationsApi,
  destinationsQueries,
} from '../../../features/destinations/api.ts';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';

export function DeleteDestination({
  property,
  destination,
}: {
  property: Property;
  destination: Destination;
}) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => destinationsApi.remove(property.id, destination.id),
    onSuccess: async () => {
      announce(`Deleted ${destination.name}`);
      await navigate({ to: '/p/$propertyId/destinations', params: { propertyId: property.id } });
      await queryClient.invalidateQueries({ queryKey: destinationsQueries.list(property.id).queryKey });
    },
  });
  const { waiting } = destination.health;
  return (
    <div className="form">
      <p className="aside">
        Nothing is sent there any more, and its credentials are forgotten. What was sent stays listed.
      </p>
      <div>
        <button type="button" className="button button-bad" onClick={() => setAsking(true)}>
          Delete this destination
        </button>
      </div>
      {asking && (
        <ConfirmDialog
          title={`Delete ${destination.name}?`}
          word={destination.name}
          action="Delete destination"
          pending={isPending}
          error={error}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            {waiting > 0
              ? `${counted(waiting, 'conversion that waits', 'conversions that wait')} for it will be skipped. `
              : ''}
            Its credentials are forgotten at once. To stop sending for a while, pause it instead.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
