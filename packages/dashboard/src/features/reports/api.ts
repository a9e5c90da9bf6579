/** The calls of the reports. In a file of their own, so that the first view does not load them. */
import { MINUTE_MS } from '@ghostlight/core/time';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, addressOf, get } from '../../api/client.ts';
import type { Operations } from '../../api/schema.gen.ts';

/** Today's figures grow while the page is open. */
export const REFRESH_MS = MINUTE_MS;

type Reports = '/api/v1/properties/{id}/reports/';
type Query = Readonly<Record<string, string>>;
/** The last part of a report's address: `bots`, `pages/unread`. */
type ReportPath = keyof Operations extends infer Of
  ? Of extends `GET ${Reports}${infer Report}`
    ? Report
    : never
  : never;
export type ReportAnswer<Report extends ReportPath> = `GET ${Reports}${Report}` extends infer Of extends
  keyof Operations
  ? Answer<Of>
  : never;

/** @param query of `filterQuery` and `listQuery` */
export function reportQuery<Report extends ReportPath>(
  propertyId: string,
  report: Report,
  query: Query = {},
) {
  return queryOptions({
    queryKey: ['report', propertyId, report, query],
    queryFn: ({ signal }) => getReport(propertyId, report, query, signal),
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}

/** The generic call can't infer the answer from a path that is a type parameter, so the report's name gives it. */
function getReport<Report extends ReportPath>(id: string, report: Report, query: Query, signal: AbortSignal) {
  const path = `/api/v1/properties/{id}/reports/${report}` as '/api/v1/properties/{id}/reports/overview';
  return get(path, { params: { id }, query, signal }) as Promise<unknown> as Promise<ReportAnswer<Report>>;
}

/** The address of a report; with `format` it is a download of the whole list. */
export function reportUrl(propertyId: string, report: string, query: Query): string {
  return addressOf(`/api/v1/properties/{id}/reports/${report}`, { id: propertyId }, query);
}

/** Types of the report API, taken from its OpenAPI document. Days are the property's; estimates may be fractions. */
type Overview = ReportAnswer<'overview'>;

export const INTENTS = ['training', 'search', 'on_demand', 'other'] as const;

/** First members of every answer. */
export type Envelope = Pick<
  Overview,
  | 'period'
  | 'time_zone'
  | 'time_zone_since'
  | 'compared_until'
  | 'not_compared'
  | 'partial'
  | 'partial_days'
  | 'over_quota_days'
  | 'rolled_up_at'
  | 'population'
  | 'data_since'
  | 'figures_kept_since'
>;

/** A page of a list. */
export interface Paged<Item> extends Envelope {
  readonly items: readonly Item[];
  readonly total: number;
  readonly page_number: number;
  readonly limit: number;
}

/** The estimated part of an item’s figures, by name, nested ones with a dot; `estimated` belongs to the figure itself. */
export type Estimates = Readonly<Record<string, number>>;

/** Whether the change is more than the usual variation of such days. */
export type Changed = Pick<Overview['ai_bots'], 'change' | 'change_stands_out'> & {
  /** The sums that the change is made of: `compared_with` of the period, and the same of the days before by what is counted. */
  readonly previous?: Partial<Record<'compared_with' | Compared, number>> | null;
  /** The part of the figure that is estimated from samples. */
  readonly estimated?: number;
};
type Compared = 'hits' | 'visits' | 'failures';
export type Day = Pick<Overview['series'][number], 'day' | 'partial'>;
export type IntentTotal = Overview['by_intent'][number];
/** What to fix first, and why. */
export type FixFirst = Overview['failures']['fix_first'][number];

/** The figures of the Overview page, in one answer. */
export type OverviewAnswer = ReportAnswer<'overview'>;
