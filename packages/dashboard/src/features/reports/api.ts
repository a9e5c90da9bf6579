/** The calls of the reports: apart from the others, so that the first view carries no more than it shows. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, addressOf, get } from '../../api/client.ts';
import type { Operations } from '../../api/schema.gen.ts';

/** The day so far grows while somebody looks. */
export const REFRESH_MS = 60_000;

type Reports = '/api/v1/properties/{id}/reports/';
type Asked = Readonly<Record<string, string>>;
/** The last part of a report's address: `bots`, `pages/unread`. */
export type ReportPath = keyof Operations extends infer Of
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
  query: Asked = {},
) {
  return queryOptions({
    queryKey: ['report', propertyId, report, query],
    queryFn: ({ signal }) => getReport(propertyId, report, query, signal),
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}

/** The generic call can't follow a path that is a type parameter here: what it answers is known by the report's name. */
function getReport<Report extends ReportPath>(id: string, report: Report, query: Asked, signal: AbortSignal) {
  const path = `/api/v1/properties/{id}/reports/${report}` as '/api/v1/properties/{id}/reports/overview';
  return get(path, { params: { id }, query, signal }) as Promise<unknown> as Promise<ReportAnswer<Report>>;
}

/** The address of a report; with `format` it is a download of the whole list. */
export function reportUrl(propertyId: string, report: string, query: Asked): string {
  return addressOf(`/api/v1/properties/{id}/reports/${report}`, { id: propertyId }, query);
}
