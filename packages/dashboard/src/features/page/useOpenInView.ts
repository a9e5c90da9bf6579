import { type RefObject, useEffect, useRef } from 'react';

/** For a row of links that scrolls sideways where it is too long: says so in `data-scrolls`, and keeps the open one in view. @param here what is open */
export function useOpenInView(here: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open decides which link is the current one
  useEffect(() => {
    const { current } = row;
    if (!current) return;
    const show = () => {
      current.dataset['scrolls'] = String(current.scrollWidth > current.clientWidth);
      const open = current.querySelector<HTMLElement>('[aria-current="page"]');
      if (!open) return;
      const from = open.getBoundingClientRect().left - current.getBoundingClientRect().left;
      // Not scrollIntoView, which would scroll the page too.
      current.scrollLeft += from - (current.clientWidth - open.offsetWidth) / 2;
    };
    // It reports the width that the row begins with, too.
    const resized = new ResizeObserver(show);
    resized.observe(current);
    return () => resized.disconnect();
  }, [here]);
  return row;
}
