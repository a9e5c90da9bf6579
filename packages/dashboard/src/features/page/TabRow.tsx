import type { ReactNode } from 'react';
import { useOpenInView } from './useOpenInView.ts';

interface TabRowProps {
  /** Names the navigation for screen readers. */
  label: string;
  /** The address that is open: its tab is scrolled to where there is no room for all. */
  here: string;
  /** Links of the class `tab`. */
  children: ReactNode;
}

/** Underlined links below a title: the one form of navigation within a page or a section. A phone scrolls them sideways. */
export function TabRow({ label, here, children }: TabRowProps) {
  const row = useOpenInView(here);
  return (
    <div className="tabs">
      <nav ref={row} aria-label={label}>
        {children}
      </nav>
    </div>
  );
}
