/** Carries period and filters from page to page: the period wherever there is one, the filters to every report. */
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type PeriodSearch, readPeriod } from '../../format/period.ts';
import { carriedOver, FILTERED_PAGES, type ReportSearch, readReportSearch } from './search.ts';

const isReport = (page: string | undefined): boolean => FILTERED_PAGES.some((report) => report === page);
/** Pages with the period and their own filters. */
const hasPeriodAlone = (page: string | undefined): boolean =>
  page === 'conversions' || page === 'deliveries' || page === 'visits';

/** The last choice, and the page it was made on. */
export interface Kept {
  readonly propertyId: string;
  readonly search: ReportSearch;
}

interface Here {
  readonly propertyId: string;
  /** The open page. */
  readonly page: string | undefined;
  /** Its search parameters, untrusted. */
  readonly search: Record<string, unknown>;
}

/** Reads an address, `/p/<property>/<page>?…`; null when it belongs to no property. */
export function hereOf({ pathname, search }: { pathname: string; search: object }): Here | null {
  const [, below, propertyId, page] = pathname.split('/');
  if (below !== 'p' || propertyId === undefined || propertyId === '') return null;
  return { propertyId, page, search: { ...search } };
}

/** The search parameters without days that are no period, such as 30 February. null: the address is right */
export function withoutWrongDays(here: Here | null): Record<string, unknown> | null {
  if (here === null || !(isReport(here.page) || hasPeriodAlone(here.page))) return null;
  const { from, to, ...rest } = here.search;
  if (from === undefined && to === undefined) return null;
  return readPeriod(here.search).from === undefined ? rest : null;
}

/** The address names the days that are shown; called once, by the frame of a property's pages. */
export function useRightDays(): void {
  const navigate = useNavigate();
  const search = useRouterState({
    select: ({ location }) => JSON.stringify(withoutWrongDays(hereOf(location))),
  });
  useEffect(() => {
    if (search === 'null') return;
    const right: ReportSearch = JSON.parse(search);
    void navigate({ to: '.', search: right, replace: true, resetScroll: false });
  }, [search, navigate]);
}

const periodAlone = (search: Record<string, unknown>): PeriodSearch => readPeriod(search);

/** The choice after this page was open. A page without a period, such as Live, changes nothing. */
export function keptAt(before: Kept | null, here: Here | null): Kept {
  // Account pages belong to no property and keep the choice.
  if (here === null) return before ?? { propertyId: '', search: {} };
  const { propertyId, page, search } = here;
  const old = before === null ? {} : searchFor(before, propertyId);
  if (isReport(page)) return { propertyId, search: carriedOver(readReportSearch(search)) };
  if (!hasPeriodAlone(page)) return { propertyId, search: old };
  const { period: _period, from: _from, to: _to, compare: _compare, ...filters } = old;
  return { propertyId, search: carriedOver({ ...filters, ...periodAlone(search) }) };
}

/** The search parameters for opening a page. @param propertyId of that page: another property does not take over bots and paths */
export function openedWith(kept: Kept, page: string, propertyId = kept.propertyId): ReportSearch {
  const search = searchFor(kept, propertyId);
  if (isReport(page)) return search;
  return hasPeriodAlone(page) ? periodAlone({ ...search }) : {};
}

function searchFor({ propertyId, search }: Kept, wanted: string): ReportSearch {
  return propertyId === wanted ? search : periodAlone({ ...search });
}

/** Kept for this tab, across account pages and reloads. */
const KEY = 'ghostlight.search';

/** The search parameters for opening a page from here: the period, and the filters where they apply. */
export function useCarriedOver(): (page: string, propertyId?: string) => ReportSearch {
  const kept = useKept();
  return (page, propertyId) => openedWith(kept, page, propertyId);
}

/** Remembers the choice of pages with a period; called once, by the frame of a property's pages. */
export function useKeepSearch(): void {
  const kept = JSON.stringify(useKept());
  useEffect(() => {
    try {
      sessionStorage.setItem(KEY, kept);
    } catch {
      // Without session storage the choice lasts only until a reload.
    }
  }, [kept]);
}

/**
 * Page and filters are read from one address. While the code of a new page loads, the parameters of the shown route may still belong to the
 * previous page; read separately from the path, they would be stored for the new one.
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
