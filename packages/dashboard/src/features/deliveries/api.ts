/** The calls of the Deliveries page. In a file of their own, so that the first view does not load them. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { addressOf, type Body, call, get } from '../../api/client.ts';
import type { Delivery, DeliveryDetail, ForwardingReport } from '../../api/schema.gen.ts';

export type {
  BulkReplay,
  BulkReplayAnswer as BulkReplayed,
  Delivery,
  DeliveryDetail,
  ForwardingReport,
} from '../../api/schema.gen.ts';

/** Deliveries on one page of the list. */
const PAGE_SIZE = 50;
/** Enough for every destination of a conversion, unless each platform is connected twice. */
const LATEST_SIZE = 12;
/** Enough to say which reason is most frequent; the most that the service lists at once. */
const FAILED_SIZE = 200;
const LIST_INTERVAL_MS = 5_000;
const REPORT_INTERVAL_MS = 30_000;

type Query = Readonly<Record<string, string>>;

const DELIVERIES = '/api/v1/properties/{id}/deliveries';

export const deliveriesApi = {
  page: (id: string, query: Query, signal?: AbortSignal) =>
    get(DELIVERIES, { params: { id }, query, signal }),
  /** @param confirmDuplicate the outcome is unknown, and the operator accepts that it may count twice */
  replay: (id: string, delivery: string, confirmDuplicate: boolean) =>
    call('POST', `${DELIVERIES}/{delivery_id}/replay`, {
      params: { id, delivery_id: delivery },
      body: confirmDuplicate ? { confirm_duplicate: true } : {},
    }),
  replayAll: (id: string, body: Body<`POST ${typeof DELIVERIES}/replay`>) =>
    call('POST', `${DELIVERIES}/replay`, { params: { id }, body }),
};

/** The address of the list as a file, with `format` in the query. */
export const deliveriesUrl = (id: string, query: Query): string => addressOf(DELIVERIES, { id }, query);

export const deliveriesQueries = {
  /** @param query of `listQuery` */
  list: (id: string, query: Query) =>
    infiniteQueryOptions({
      queryKey: ['deliveries', id, query],
      queryFn: ({ pageParam, signal }) =>
        deliveriesApi.page(
          id,
          {
            ...query,
            limit: String(PAGE_SIZE),
            ...(pageParam === null ? {} : { after: pageParam }),
          },
          signal,
        ),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      placeholderData: keepPreviousData,
      // Refreshing would reload every page, so a list with several pages is not refreshed.
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : LIST_INTERVAL_MS),
    }),
  /** The newest few. @param query their filter */
  latest: (id: string, query: Query) =>
    queryOptions({
      queryKey: ['deliveries-latest', id, query],
      queryFn: async ({ signal }) =>
        (await deliveriesApi.page(id, { ...query, limit: String(LATEST_SIZE) }, signal)).items,
      refetchInterval: LIST_INTERVAL_MS,
    }),
  /** The newest that failed, for their reasons. @param query their filter and period */
  failed: (id: string, query: Query) =>
    queryOptions({
      queryKey: ['deliveries-failed', id, query],
      queryFn: async ({ signal }) =>
        (await deliveriesApi.page(id, { ...query, status: 'dead', limit: String(FAILED_SIZE) }, signal))
          .items,
    }),
  delivery: (id: string, deliveryId: string) =>
    queryOptions({
      queryKey: ['delivery', id, deliveryId],
      queryFn: ({ signal }) =>
        get(`${DELIVERIES}/{delivery_id}`, { params: { id, delivery_id: deliveryId }, signal }),
      refetchInterval: LIST_INTERVAL_MS,
    }),
  /** @param period of `periodQuery` */
  report: (id: string, period: { from: string; to: string }) =>
    queryOptions({
      queryKey: ['forwarding-report', id, period],
      queryFn: ({ signal }) =>
        get('/api/v1/properties/{id}/reports/forwarding', { params: { id }, query: period, signal }),
      refetchInterval: REPORT_INTERVAL_MS,
      placeholderData: keepPreviousData,
    }),
};

type Status = Delivery['status'];

/** A status to filter by: `waiting` is every status that is not final. */
export type StatusFilter = Status | 'waiting';

export type Attempt = DeliveryDetail['history'][number];
/** By the property's day on which the conversions were received. */
export type ReportDay = Omit<ForwardingReport['days'][number], 'refunds'>;
/** Deliveries of one destination, over a day or the period. */
type DestinationCounts = ReportDay['destinations'][number];
export type Counts = Omit<DestinationCounts, 'destination' | 'platform'>;
export type DestinationTotals = ForwardingReport['totals']['destinations'][number];
