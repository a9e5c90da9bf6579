/** What goes along from page to page: the period wherever there is one, the filters to every report. */
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type PeriodSearch, readPeriod } from '../../format/period.ts';
import { compact } from '../../format/search.ts';
import { carriedOver, REPORTS, type ReportSearch, readReportSearch } from './search.ts';

const isReport = (page: string | undefined): boolean => REPORTS.some((report) => report === page);
/** They have a period, and filters of their own. */
const hasPeriodAlone = (page: string | undefined): boolean => page === 'conversions' || page === 'deliveries';

/** What was chosen last, and where. */
export interface Kept {
  readonly propertyId: string;
  readonly search: ReportSearch;
}

interface Here {
  readonly propertyId: string;
  /** Of the page that is open. */
  readonly page: string | undefined;
  /** Of its address, untrusted. */
  readonly search: Record<string, unknown>;
}

/** What an address says: `/p/<property>/<page>?…`, or null for one that is of no property. */
export function hereOf({ pathname, search }: { pathname: string; search: object }): Here | null {
  const [, below, propertyId, page] = pathname.split('/');
  if (below !== 'p' || propertyId === undefined || propertyId === '') return null;
  return { propertyId, page, search: { ...search } };
}

const periodAlone = (search: Record<string, unknown>): PeriodSearch =>
  compact<PeriodSearch>(readPeriod(search));

/** What is kept once this page has been open. A page without a period, such as Live, changes nothing. */
export function keptAt(before: Kept | null, here: Here | null): Kept {
  // Pages of the account lie beside the properties: from there it goes back to where one was.
  if (here === null) return before ?? { propertyId: '', search: {} };
  const { propertyId, page, search } = here;
  const old = before === null ? {} : searchFor(before, propertyId);
  if (isReport(page)) return { propertyId, search: carriedOver(readReportSearch(search)) };
  if (!hasPeriodAlone(page)) return { propertyId, search: old };
  const { days: _days, from: _from, to: _to, ...filters } = old;
  return { propertyId, search: carriedOver({ ...filters, ...periodAlone(search) }) };
}

/** What a page is opened with. @param propertyId of that page: the bots and paths of another property are none of its own */
export function openedWith(kept: Kept, page: string, propertyId = kept.propertyId): ReportSearch {
  const search = searchFor(kept, propertyId);
  if (isReport(page)) return search;
  return hasPeriodAlone(page) ? periodAlone({ ...search }) : {};
}

function searchFor({ propertyId, search }: Kept, wanted: string): ReportSearch {
  return propertyId === wanted ? search : periodAlone({ ...search });
}

/** For this tab: also over the pages of the account, and over a reload. */
const KEY = 'ghostlight.search';

/** What a page is opened with from here: the period, and the filters where they fit. */
export function useCarriedOver(): (page: string, propertyId?: string) => ReportSearch {
  const kept = useKept();
  return (page, propertyId) => openedWith(kept, page, propertyId);
}

/** Remembers what was chosen on the pages that have a period; called once, by the frame of a property's pages. */
export function useKeepSearch(): void {
  const kept = JSON.stringify(useKept());
  useEffect(() => {
    try {
      sessionStorage.setItem(KEY, kept);
    } catch {
      // A browser that keeps nothing carries over from one page to the next only.
    }
  }, [kept]);
}

/**
 * Page and filters are read from one address. Parameters and search of the route that is shown may still be those of the page before, while
 * the code of the new one loads: read apart from the path, they would be kept as the new page's.
 */
function useKept(): Kept {
  const location = useRouterState({ select: (state) => state.location });
  return keptAt(remembered(), hereOf(location));
}

function remembered(): Kept | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    const { propertyId, search } = kept as Record<string, unknown>;
    if (typeof propertyId !== 'string' || typeof search !== 'object' || search === null) return null;
    return { propertyId, search: readReportSearch(search as Record<string, unknown>) };
  } catch {
    return null;
  }
}
