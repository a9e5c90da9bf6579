import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import type { ConversionDetail } from '../../../features/conversions/api.ts';
import { type Delivery, deliveriesApi } from '../../../features/deliveries/api.ts';
import { refreshDeliveries } from '../../../features/deliveries/refresh.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { counted } from '../../../format/names.ts';
import { dayIn } from '../../../format/time.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { IconArrow } from '../../../parts/icons.tsx';
import { ErrorState } from '../../../parts/states.tsx';

interface ActionsProps {
  property: Property;
  item: ConversionDetail;
  /** Of this conversion; undefined: not loaded, or never sent. */
  deliveries: readonly Delivery[] | undefined;
  /** Opens the order of a refund. */
  onOpen: (id: string) => void;
}

/** What can be done with a conversion, before what is known of it. */
export function Actions({ property, item, deliveries = [], onOpen }: ActionsProps) {
  const failed = deliveries.filter(({ status, replayable }) => status === 'dead' && replayable);
  const day = dayIn(property.time_zone, Date.parse(item.received_at));
  if (deliveries.length === 0 && item.order === null) return null;
  return (
    <div className="panel-actions">
      {failed.length > 0 && (
        <RequirePermission>
          <ReplayFailed property={property} failed={failed} />
        </RequirePermission>
      )}
      {deliveries.length > 0 && (
        <Link
          to="/p/$propertyId/deliveries"
          params={{ propertyId: property.id }}
          search={{ q: item.id, from: day, to: day }}
          className="button button-small"
        >
          Show deliveries
          <IconArrow />
        </Link>
      )}
      {item.order !== null && (
        <button type="button" className="button button-small" onClick={() => onOpen(item.order ?? '')}>
          Open the order
        </button>
      )}
    </div>
  );
}

/** Sends again what failed permanently. Those whose outcome is unknown are asked for one by one, where they may count twice. */
function ReplayFailed({ property, failed }: { property: Property; failed: readonly Delivery[] }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      for (const { id } of failed) await deliveriesApi.replay(property.id, id, false);
    },
    onSuccess: () => announce(`${counted(failed.length, 'delivery', 'deliveries')} queued again`),
    onSettled: () => refreshDeliveries(queryClient, property.id),
  });
  return (
    <>
      <button
        type="button"
        className="button button-small button-primary"
        title="Sends them once more with the current settings. Fix the cause first."
        disabled={isPending}
        onClick={() => mutate()}
      >
        {isPending ? 'One moment…' : `Replay ${failed.length} failed`}
      </button>
      {error !== null && <ErrorState error={error} />}
    </>
  );
}
