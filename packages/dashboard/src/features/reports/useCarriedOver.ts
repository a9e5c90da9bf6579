import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hereOf, type Kept, keptAt, openedWith } from './carried.ts';
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
