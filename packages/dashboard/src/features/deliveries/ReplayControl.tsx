import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../api/types.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { type Delivery, deliveriesApi } from './api.ts';
import { refreshDeliveries } from './refresh.ts';

type Replayed = Pick<Delivery, 'id' | 'status' | 'replayable' | 'destination'>;

/** Sends a delivery once more, or now where it waits. */
function useReplay(property: Property, { id, status }: Replayed, onDone: () => void) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: () => deliveriesApi.replay(property.id, id, status === 'unknown'),
    onSuccess: async () => {
      announce(isWaiting(status) ? 'Its turn is now' : 'Queued again');
      onDone();
      await refreshDeliveries(queryClient, property.id);
    },
  });
}

const isWaiting = (status: Delivery['status']): boolean => status === 'retry' || status === 'pending';

interface ReplayControlProps {
  property: Property;
  item: Replayed;
  /** The first thing to do. */
  isPrimary?: boolean;
}

/** Sends a delivery again; after a question if it may have arrived already. Empty when that is not possible. */
export function ReplayControl({ property, item, isPrimary = false }: ReplayControlProps) {
  const [asking, setAsking] = useState(false);
  const isInDoubt = item.status === 'unknown';
  const { mutate, isPending, error } = useReplay(property, item, () => undefined);
  if (!item.replayable) return error === null ? null : <ErrorState error={error} />;
  const name = isWaiting(item.status) ? 'Try now' : isInDoubt ? 'Send again…' : 'Send again';
  return (
    <>
      <button
        type="button"
        className={`button button-small ${isPrimary ? 'button-primary' : ''}`}
        disabled={isPending}
        onClick={() => (isInDoubt ? setAsking(true) : mutate())}
      >
        {isPending ? 'One moment…' : name}
        {!isPrimary && <span className="visually-hidden"> to {item.destination.name}</span>}
      </button>
      {error !== null && <ErrorState error={error} />}
      {asking && <ReplayDialog property={property} item={item} onClose={() => setAsking(false)} />}
    </>
  );
}

interface ReplayDialogProps {
  property: Property;
  item: Replayed;
  onClose: () => void;
}

/** Asks before one delivery is sent again. */
export function ReplayDialog({ property, item, onClose }: ReplayDialogProps) {
  const { mutate, isPending, error } = useReplay(property, item, onClose);
  const isInDoubt = item.status === 'unknown';
  const { name } = item.destination;
  return (
    <Dialog title="Send it again?" onClose={onClose}>
      <p className="break">
        {isInDoubt
          ? `It was sent once without an answer: ${name} may already have it and can’t recognise a repeated event. Then this conversion counts twice there. Check the platform first.`
          : `It is sent to ${name} once more, with the current settings and event mapping. Fix the cause first, or it will fail again.`}
      </p>
      {error !== null && <ErrorState error={error} />}
      <DialogActions onCancel={onClose} onAct={() => mutate()} disabled={isPending} danger={isInDoubt}>
        {isPending ? 'One moment…' : 'Send it again'}
      </DialogActions>
    </Dialog>
  );
}
