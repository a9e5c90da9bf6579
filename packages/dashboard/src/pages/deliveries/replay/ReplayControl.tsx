import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { type DeliveryDetail, deliveriesApi } from '../../../features/deliveries/api.ts';
import { refreshDeliveries } from '../../../features/deliveries/refresh.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { ErrorState } from '../../../parts/states.tsx';

/** Sends a delivery again; after a confirmation if it may have arrived already. Empty when that is not possible. */
export function ReplayControl({ property, item }: { property: Property; item: DeliveryDetail }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const isInDoubt = item.status === 'unknown';
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deliveriesApi.replay(property.id, item.id, isInDoubt),
    onSuccess: async () => {
      announce('Queued again');
      setAsking(false);
      await refreshDeliveries(queryClient, property.id);
    },
  });
  if (!item.replayable) return error === null ? null : <ErrorState error={error} />;
  return (
    <>
      <button
        type="button"
        className="button button-small button-primary"
        disabled={isPending}
        onClick={() => (isInDoubt ? setAsking(true) : mutate())}
      >
        {isPending ? 'One moment…' : isInDoubt ? 'Replay…' : 'Replay'}
      </button>
      {error !== null && <ErrorState error={error} />}
      {asking && (
        <Dialog title="Send it again?" onClose={() => setAsking(false)}>
          <p>
            It was sent once without an answer: {item.destination.name} may already have it and can’t
            recognise a repeated event. Then this conversion counts twice there. Check the platform first.
          </p>
          {error !== null && <ErrorState error={error} />}
          <DialogActions onCancel={() => setAsking(false)} onAct={() => mutate()} disabled={isPending} danger>
            {isPending ? 'One moment…' : 'Send it again'}
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
