import { useRouterState, useSearch } from '@tanstack/react-router';
import { carriedOver, REPORTS, type ReportSearch, readReportSearch } from './search.ts';

const isReport = (name: string | undefined): boolean => REPORTS.some((report) => report === name);

/** What a page is opened with from here: period and filters, when one report follows another. */
export function useCarriedOver(): (page: string) => ReportSearch {
  const here = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] });
  const search = useSearch({ strict: false });
  return (page) => (isReport(here) && isReport(page) ? carriedOver(readReportSearch(search)) : {});
}
