/** Filters of the Deliveries page: in its address, and as queries to the service. The first view loads this file. */
import { TOPICS, type Topic } from '@ghostlight/core/conversion';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { BulkReplay, StatusFilter } from '../../features/deliveries/api.ts';
import { type Period, type PeriodSearch, periodQuery, readPeriod } from '../../format/period.ts';
import { compact, oneOf, textOf } from '../../format/search.ts';

/** Here and not in features/deliveries: the first view loads this file for the router. */
export const STATUS_FILTERS = [
  'waiting',
  'pending',
  'sending',
  'retry',
  'accepted_async',
  'delivered',
  'skipped',
  'unknown',
  'dead',
] as const satisfies readonly StatusFilter[];

const VIEWS = ['list', 'accuracy'] as const;

export interface DeliverySearch extends PeriodSearch {
  view?: (typeof VIEWS)[number];
  status?: StatusFilter;
  platform?: string;
  /** `dst_…`; in the report, the one that is drawn. */
  destination?: string;
  topic?: Topic;
  reason?: string;
  q?: string;
  /** The delivery whose way is shown. */
  open?: string;
}

/** A change of the address: an undefined value is taken out. */
export type DeliveryChange = { [K in keyof DeliverySearch]?: DeliverySearch[K] | undefined };

/** Reads untrusted search parameters: what isn't a filter is left out. */
export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  return compact<DeliverySearch>({
    ...readPeriod(search),
    view: oneOf(VIEWS.slice(1), search['view']),
    status: oneOf(STATUS_FILTERS, search['status']),
    platform: textOf(search['platform']),
    destination: textOf(search['destination']),
    topic: oneOf(TOPICS, search['topic']),
    reason: textOf(search['reason']),
    q: textOf(search['q']),
    open: textOf(search['open']),
  });
}

/** The filters of the list; "Clear" removes them. */
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

/** The filters of the address, and how to change some. An undefined value takes one out. */
export function useDeliverySearch(): [DeliverySearch, (change: DeliveryChange) => void] {
  const search = useSearch({ from: '/signed-in/p/$propertyId/deliveries' });
  const navigate = useNavigate({ from: '/p/$propertyId/deliveries' });
  return [
    search,
    (change) =>
      void navigate({
        to: '.',
        search: compact<DeliverySearch>({ ...search, ...change }),
        replace: true,
        resetScroll: false,
      }),
  ];
}
