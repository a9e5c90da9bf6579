/** What goes along from page to page: the period wherever there is one, the filters to every report. */
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
