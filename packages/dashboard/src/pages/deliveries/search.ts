/** Filters of the Deliveries page: in its address, and as queries to the service. The first view loads this file. */
import { TOPICS, type Topic } from '@ghostlight/core/conversion';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { BulkReplay, StatusFilter } from '../../features/deliveries/api.ts';
import { type DayPair, type PeriodSearch, periodQuery, readPeriod } from '../../format/period.ts';
import { compact, oneOf, textOf } from '../../format/search.ts';

/** Not in features/deliveries, because the first view loads this file for the router. */
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
  /** `dst_…`; in the report, the destination of the chart. */
  destination?: string;
  topic?: Topic;
  reason?: string;
  q?: string;
  /** The delivery whose details are open. */
  open?: string;
}

/** A change of the address: an undefined value removes the parameter. */
export type DeliveryChange = { [K in keyof DeliverySearch]?: DeliverySearch[K] | undefined };

/** Reads untrusted search parameters; anything else is left out. */
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

/** How many filters are set. */
export function filtersSet(search: DeliverySearch): number {
  return LIST_FILTERS.filter((name) => search[name] !== undefined).length;
}

export function isFiltered(search: DeliverySearch): boolean {
  return filtersSet(search) > 0;
}

export function listQuery(search: DeliverySearch, period: DayPair): Record<string, string> {
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

/** The body of a bulk replay: the filters that it supports. It ignores topic and search. */
export function replayOrder(search: DeliverySearch, period: DayPair): BulkReplay {
  const { destination, platform, reason } = search;
  return {
    status: 'dead',
    ...(destination === undefined ? {} : { destination }),
    // The address may hold any text: the service refuses an unknown platform.
    ...(platform === undefined ? {} : { platform: platform as NonNullable<BulkReplay['platform']> }),
    ...(reason === undefined ? {} : { reason }),
    ...periodQuery(period),
  };
}

/** The filters of the address, and a function to change them. An undefined value removes one. */
export function useDeliverySearch(): [DeliverySearch, (change: DeliveryChange) => void] {
  // The router adds what the address has besides, as it is there: it is left out again.
  const search = readDeliverySearch({ ...useSearch({ from: '/signed-in/p/$propertyId/deliveries' }) });
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
