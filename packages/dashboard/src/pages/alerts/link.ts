/** The link of an alert, which the service makes, taken apart for the router. */
import {
  REPORTS,
  type ReportName,
  type ReportSearch,
  readReportSearch,
} from '../../features/reports/search.ts';

export type AlertTarget =
  | { readonly to: 'report'; readonly page: ReportName; readonly search: ReportSearch }
  | { readonly to: 'destination'; readonly destinationId: string };

/** @param link such as `/bots?bot=GPTBot&from=…&to=…` @returns null for a page that this dashboard does not know */
export function targetOf(link: string): AlertTarget | null {
  const { pathname, searchParams } = new URL(link, 'https://dashboard.invalid');
  const [, page, destinationId] = pathname.split('/');
  if (page === 'destinations' && destinationId !== undefined) return { to: 'destination', destinationId };
  const report = REPORTS.find((name) => name === page);
  if (report === undefined) return null;
  return { to: 'report', page: report, search: readReportSearch(Object.fromEntries(searchParams)) };
}
