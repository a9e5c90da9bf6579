import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { type BulkReplay, deliveriesApi } from '../../../features/deliveries/api.ts';
import type { Destination, Platform } from '../../../features/destinations/api.ts';
import { counted } from '../../../format/names.ts';
import type { Period } from '../../../format/period.ts';
import { dayLabel } from '../../../format/time.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { type DeliverySearch, replayOrder } from '../search.ts';
import { refreshDeliveries } from './ReplayControl.tsx';

interface BulkReplayDialogProps {
  property: Property;
  search: DeliverySearch;
  period: Period;
  destinations: readonly Destination[];
  platforms: readonly Platform[];
  onClose: () => void;
}

/** Says how many it is about, sends them again, and says what came of it. */
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
      announce(`${counted(replayed, 'delivery is', 'deliveries are')} on the way again`);
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
    <Dialog title="Replay failed deliveries" onClose={onClose}>
      {data !== undefined ? (
        <>
          <p>
            <strong>{counted(data.replayed, 'delivery is', 'deliveries are')} on the way again.</strong>
            {data.expired > 0 &&
              ` ${counted(data.expired, 'stays', 'stay')} failed: the personal data that they need is deleted.`}
            {data.remaining > 0 &&
              ` ${counted(data.remaining, 'is', 'are')} left: one call takes 10,000. Replay once more for those.`}
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
          {dead.error !== null && <ErrorState error={dead.error} onRetry={() => void dead.refetch()} />}
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
                ' Topic and search do not narrow a replay in bulk.'}
            </p>
          )}
          <p className="aside">
            Each is sent once more, with today’s settings and event mapping. Mend what they failed for first,
            or they fail again.
          </p>
          {error !== null && <ErrorState error={error} />}
          <div className="dialog-actions">
            <button type="button" className="button" onClick={onClose}>
              Cancel
            </button>
            <button
              type="button"
              className="button button-primary"
              disabled={isPending || dead.data === undefined || dead.data.count === 0}
              onClick={() => mutate()}
            >
              {isPending ? 'One moment…' : count === '' ? 'Replay' : `Replay ${count}`}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** As many as the service lists at once. */
const PAGE_SIZE = 200;
/** Beyond that nobody wants it exactly, and the service would be asked for too much. */
const MAX_PAGES = 5;

interface DeadCount {
  readonly count: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

/** How many a replay in bulk would reach. */
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
