import { type ReactNode, useEffect, useRef } from 'react';

interface TabRowProps {
  /** Names the navigation for screen readers. */
  label: string;
  /** The address that is open: its tab is scrolled to where there is no room for all. */
  here: string;
  /** Links of the class `tab`. */
  children: ReactNode;
  /** At the end of the row, where it moves nothing: what can be done in the current view. */
  beside?: ReactNode;
}

/** Underlined links below a title: the one form of navigation within a page or a section. A phone scrolls them sideways. */
export function TabRow({ label, here, children, beside }: TabRowProps) {
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address decides which tab is the current one
  useEffect(() => {
    const { current } = row;
    const open = current?.querySelector<HTMLElement>('[aria-current="page"]');
    // Not scrollIntoView, which would scroll the page too.
    if (current && open) current.scrollLeft = open.offsetLeft - (current.clientWidth - open.offsetWidth) / 2;
  }, [here]);
  return (
    <div className="tabs">
      <nav ref={row} aria-label={label}>
        {children}
      </nav>
      {beside}
    </div>
  );
}
