import { useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { refreshDeliveries } from '../../../features/deliveries/refresh.ts';
import type { Destination } from '../../../features/destinations/api.ts';
import { useChange } from '../../../features/destinations/useChange.ts';
import { ErrorState } from '../../../parts/states.tsx';

interface ResumeControlProps {
  property: Property;
  destination: Pick<Destination, 'id' | 'name'>;
}

/** Ends the pause for which deliveries wait. */
export function ResumeControl({ property, destination: { id, name } }: ResumeControlProps) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useChange(property.id, id, `${name} sends again`);
  const resume = () =>
    mutate({ paused: false }, { onSuccess: () => refreshDeliveries(queryClient, property.id) });
  return (
    <>
      <button
        type="button"
        className="button button-small button-primary"
        disabled={isPending}
        onClick={resume}
      >
        {isPending ? 'One moment…' : 'Resume destination'}
      </button>
      {error !== null && <ErrorState error={error} />}
    </>
  );
}
