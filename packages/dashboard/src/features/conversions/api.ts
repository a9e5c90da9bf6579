/** The calls of the Conversions page. In a file of their own, so that the first view does not load them. */
import type { CreditModel } from '@ghostlight/core/conversion';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { addressOf, get } from '../../api/client.ts';
import type { AttributionReport, BoughtProducts, ConversionDetail } from '../../api/schema.gen.ts';

export type {
  AttributionReport as Report,
  Conversion,
  ConversionDetail,
  Touch,
} from '../../api/schema.gen.ts';

/** Conversions on one page of the list. */
const PAGE_SIZE = 50;
const REFRESH_MS = 30_000;

export const conversionsQueries = {
  /** @param query of `listQuery` */
  list: (id: string, query: Readonly<Record<string, string>>) =>
    infiniteQueryOptions({
      queryKey: ['conversions', id, query],
      queryFn: ({ pageParam, signal }) =>
        get('/api/v1/properties/{id}/conversions', {
          params: { id },
          query: { ...query, limit: PAGE_SIZE, after: pageParam ?? undefined },
          signal,
        }),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      placeholderData: keepPreviousData,
    }),
  conversion: (id: string, conversionId: string) =>
    queryOptions({
      queryKey: ['conversion', id, conversionId],
      queryFn: ({ signal }) =>
        get('/api/v1/properties/{id}/conversions/{conversion_id}', {
          params: { id, conversion_id: conversionId },
          signal,
        }),
      // A conversion may be matched late or refunded.
      staleTime: REFRESH_MS,
    }),
  /** @param query of `listQuery`, as the list counts the same conversions, and what they are compared with */
  report: (
    id: string,
    query: Readonly<Record<string, string>>,
    by: Dimension,
    model: CreditModel,
    interval: 'day' | 'hour' = 'day',
  ) =>
    queryOptions({
      queryKey: ['attribution', id, query, by, model, interval],
      queryFn: ({ signal }) =>
        get('/api/v1/properties/{id}/reports/attribution', {
          params: { id },
          query: { ...query, by, model, interval },
          signal,
        }),
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
    }),
  /** @param query of `listQuery`: the products of the same conversions */
  products: (id: string, query: Readonly<Record<string, string>>) =>
    queryOptions({
      queryKey: ['bought-products', id, query],
      queryFn: ({ signal }) =>
        get('/api/v1/properties/{id}/reports/products', { params: { id }, query, signal }),
      placeholderData: keepPreviousData,
    }),
};

/** The address of the list as a file, with `format` in the query. */
export const conversionsUrl = (id: string, query: Readonly<Record<string, string>>): string =>
  addressOf('/api/v1/properties/{id}/conversions', { id }, query);

/** What the report can be grouped by. */
export type Dimension = 'channel' | 'campaign' | 'source';

export type Product = ConversionDetail['products'][number];
export type BoughtProduct = BoughtProducts['items'][number];
export type ReportRow = AttributionReport['rows'][number];
/** What a row was on the days compared with. */
export type ComparedRow = NonNullable<NonNullable<AttributionReport['comparison']>['rows']>[number];
/** Days and keys without a conversion are left out. */
export type SeriesPoint = AttributionReport['series'][number];
