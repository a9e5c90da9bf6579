import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { RequirePermission } from '../session/RequirePermission.tsx';
import { deliveriesApi } from './api.ts';
import { refreshDeliveries } from './refresh.ts';

interface TryNowProps {
  property: Property;
  destination: { readonly id: string; readonly name: string };
}

/** Sends one of the deliveries that wait for a destination that failed: the others follow once it is accepted. */
export function TryNow({ property, destination: { id, name } }: TryNowProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { items } = await deliveriesApi.page(property.id, {
        ...{ destination: id, status: 'waiting', limit: '1' },
      });
      // Sent in the meantime: there is nothing to do.
      const [first] = items;
      if (first !== undefined) await deliveriesApi.replay(property.id, first.id, false);
    },
    onSuccess: async () => {
      announce('Its turn is now');
      await refreshDeliveries(queryClient, property.id);
    },
  });
  return (
    <>
      <RequirePermission>
        <button
          type="button"
          className="button button-small button-primary"
          disabled={isPending}
          onClick={() => mutate()}
        >
          {isPending ? 'One moment…' : 'Try now'}
          <span className="visually-hidden"> with {name}</span>
        </button>
      </RequirePermission>
      {error !== null && <ErrorState error={error} />}
    </>
  );
}
