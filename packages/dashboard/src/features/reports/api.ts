/** The calls of the reports: apart from the others, so that the first view carries no more than it shows. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';

/** The day so far grows while somebody looks. */
export const REFRESH_MS = 60_000;

/**
 * @param report the last part of its address: `bots`, `pages/unread`
 * @param query of `filterQuery` and `listQuery`
 */
export function reportQuery<Answer>(
  propertyId: string,
  report: string,
  query: Readonly<Record<string, string>> = {},
) {
  return queryOptions({
    queryKey: ['report', propertyId, report, query],
    queryFn: ({ signal }) => get<Answer>(reportUrl(propertyId, report, query), signal),
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}

/** The address of a report; with `format` it is a download of the whole list. */
export function reportUrl(
  propertyId: string,
  report: string,
  query: Readonly<Record<string, string>>,
): string {
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
  return `/api/v1/properties/${encodeURIComponent(propertyId)}/reports/${report}${search}`;
}
