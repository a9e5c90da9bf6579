/** Pages, files or all: what the lists of paths show. */
import type { ReportSearch } from '../../features/reports/search.ts';

export const PATH_KINDS = [
  ['page', 'Pages'],
  ['file', 'Files'],
  ['all', 'All'],
] as const;
export type PathKind = (typeof PATH_KINDS)[number][0];

/** One path is shown whatever it is; lists are of pages until something else is chosen. */
const usual = ({ page }: ReportSearch): PathKind => (page === undefined ? 'page' : 'all');

export const kindOf = (search: ReportSearch): PathKind =>
  PATH_KINDS.find(([kind]) => kind === search.kind)?.[0] ?? usual(search);

/** How the address says it: what is usual goes without saying. */
export const kindInAddress = (search: ReportSearch, kind: PathKind): PathKind | undefined =>
  kind === usual(search) ? undefined : kind;
