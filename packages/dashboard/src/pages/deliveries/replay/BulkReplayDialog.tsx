import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { type BulkReplay, deliveriesApi } from '../../../features/deliveries/api.ts';
import { refreshDeliveries } from '../../../features/deliveries/refresh.ts';
import type { Destination, Platform } from '../../../features/destinations/api.ts';
import { counted } from '../../../format/names.ts';
import type { Period } from '../../../format/period.ts';
import { dayLabel } from '../../../format/time.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { ErrorState, failed, Skeleton } from '../../../parts/states.tsx';
import { type DeliverySearch, replayOrder } from '../search.ts';

interface BulkReplayDialogProps {
  property: Property;
  search: DeliverySearch;
  period: Period;
  destinations: readonly Destination[];
  platforms: readonly Platform[];
  onClose: () => void;
}

/** Shows how many deliveries it covers, sends them again, and shows the result. */
export function BulkReplayDialog({
  property,
  search,
  period,
  destinations,
  platforms,
  onClose,
}: BulkReplayDialogProps) {
  const order = replayOrder(search, period);
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const dead = useQuery({
    queryKey: ['deliveries-dead', property.id, order],
    queryFn: ({ signal }) => countDead(property.id, order, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () => deliveriesApi.replayAll(property.id, order),
    onSuccess: async ({ replayed }) => {
      announce(`${counted(replayed, 'delivery', 'deliveries')} queued again`);
      await refreshDeliveries(queryClient, property.id);
    },
  });
  const count =
    dead.data === undefined
      ? ''
      : `${dead.data.more ? 'more than ' : ''}${dead.data.count.toLocaleString('en')}`;
  const platform = platforms.find((one) => one.platform === search.platform)?.title;
  const to =
    destinations.find(({ id }) => id === search.destination)?.name ??
    (platform === undefined ? 'every destination' : `every destination at ${platform}`);
  return (
    <Dialog title="Send failed deliveries again" onClose={onClose}>
      {data !== undefined ? (
        <>
          <p>
            <strong>{counted(data.replayed, 'delivery', 'deliveries')} queued again.</strong>
            {data.expired > 0 &&
              ` ${counted(data.expired, 'stays', 'stay')} failed: the personal data they need has been deleted.`}
            {data.remaining > 0 &&
              ` ${counted(data.remaining, 'is', 'are')} left: at most 10,000 are sent at once. Repeat this for the rest.`}
          </p>
          <div className="dialog-actions">
            <button type="button" className="button button-primary" onClick={onClose}>
              Close
            </button>
          </div>
        </>
      ) : (
        <>
          {dead.isPending && <Skeleton lines={2} label="Counting" />}
          {failed(dead) && <ErrorState error={dead.error} onRetry={() => void dead.refetch()} />}
          {dead.data !== undefined && (
            <p className="break">
              <strong>
                {count} failed {dead.data.count === 1 ? 'delivery' : 'deliveries'}
              </strong>{' '}
              to {to}
              {search.reason !== undefined && (
                <>
                  {' '}
                  with the reason <code>{search.reason}</code>
                </>
              )}
              , from {dayLabel(period.from)} to {dayLabel(period.to)}.
              {(search.topic !== undefined || search.q !== undefined) &&
                ' Type and search don’t narrow this.'}
            </p>
          )}
          <p className="aside">
            Each is sent once more with the current settings and event mapping. Fix the cause first, or they
            will fail again.
          </p>
          {error !== null && <ErrorState error={error} />}
          <DialogActions
            onCancel={onClose}
            onAct={() => mutate()}
            disabled={isPending || dead.data === undefined || dead.data.count === 0}
          >
            {isPending ? 'One moment…' : count === '' ? 'Send again' : `Send ${count} again`}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

/** The page size of the service. */
const PAGE_SIZE = 200;
/** The most pages that are counted. */
const MAX_PAGES = 5;

interface DeadCount {
  readonly count: number;
  /** There are more. */
  readonly more: boolean;
}

/** Counts the deliveries of a bulk replay. */
async function countDead(propertyId: string, order: BulkReplay, signal?: AbortSignal): Promise<DeadCount> {
  let count = 0;
  let next: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await deliveriesApi.page(
      propertyId,
      { ...order, limit: String(PAGE_SIZE), ...(next === null ? {} : { after: next }) },
      signal,
    );
    count += answer.items.length;
    next = answer.next;
    if (next === null) return { count, more: false };
  }
  return { count, more: true };
}
