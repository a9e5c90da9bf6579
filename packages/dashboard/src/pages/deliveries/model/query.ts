/** The filters of the list of deliveries, as the service is asked for them. */
import type { BulkReplay } from '../../../features/deliveries/api.ts';
import { type Period, periodQuery } from '../../../format/period.ts';
import type { DeliverySearch } from '../search.ts';

/** What narrows the list, and would be undone by "Clear". */
export const LIST_FILTERS = ['status', 'destination', 'platform', 'topic', 'reason', 'q'] as const;

export function isFiltered(search: DeliverySearch): boolean {
  return LIST_FILTERS.some((name) => search[name] !== undefined);
}

export function listQuery(search: DeliverySearch, period: Period): Record<string, string> {
  const { status, destination, platform, topic, reason, q } = search;
  return Object.fromEntries(
    Object.entries({
      ...periodQuery(period),
      status,
      destination,
      platform,
      topic,
      reason,
      q: q?.trim(),
    }).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ''),
  );
}

/** What a replay in bulk reaches: of the filters those that it knows. Topic and search do not narrow it. */
export function replayOrder(search: DeliverySearch, period: Period): BulkReplay {
  const { destination, platform, reason } = search;
  return {
    status: 'dead',
    ...(destination === undefined ? {} : { destination }),
    // The address may hold any text: the service refuses a platform that it does not know.
    ...(platform === undefined ? {} : { platform: platform as NonNullable<BulkReplay['platform']> }),
    ...(reason === undefined ? {} : { reason }),
    ...periodQuery(period),
  };
}
