import { useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Kept, keptAt, openedWith } from './carried.ts';
import { type ReportSearch, readReportSearch } from './search.ts';

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

function useKept(): Kept {
  const page = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] });
  const { propertyId = '' } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  return keptAt(remembered(), { propertyId, page, search });
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
