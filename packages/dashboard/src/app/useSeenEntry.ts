import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

/** On a phone the bar of pages scrolls: the entry of the open page is brought into sight. */
export function useSeenEntry(nav: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that is open decides which entry is active
  useEffect(() => {
    const entry = nav.current?.querySelector<HTMLElement>('.rail-link.active');
    // Not scrollIntoView, which would scroll the page as well.
    if (entry)
      nav.current?.scrollTo({ left: entry.offsetLeft - (nav.current.clientWidth - entry.offsetWidth) / 2 });
  }, [pathname, nav]);
}
