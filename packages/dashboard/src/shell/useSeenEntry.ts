import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

/** On a low window the list of pages scrolls: the entry of the open page is brought into sight. */
export function useSeenEntry(nav: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that is open decides which entry is active
  useEffect(() => {
    const { current } = nav;
    const entry = current?.querySelector<HTMLElement>('.rail-link.active');
    if (current === null || !entry) return;
    const [top, bottom] = [
      entry.offsetTop - current.offsetTop,
      entry.offsetTop - current.offsetTop + entry.offsetHeight,
    ];
    // Not scrollIntoView, which would scroll the page as well.
    if (top < current.scrollTop || bottom > current.scrollTop + current.clientHeight)
      current.scrollTo({ top: top - current.clientHeight / 2 });
  }, [pathname, nav]);
}
