import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';

interface ReadoutProps {
  hint: string;
  /** A bar can be opened. */
  opens?: boolean;
  children: ReactNode;
}

/** The line above a chart: what is being read, else what it shows. One line high whatever it says, so that nothing below ever moves. */
export function Readout({ hint, opens = false, children }: ReadoutProps) {
  return (
    <p className="readout number" aria-hidden="true">
      {children || (
        <span className="readout-hint">
          {hint}
          <span className="readout-how">
            {' '}
            ·{' '}
            {opens ? 'point at a bar to read it, click to open it' : 'point at a day, or use the arrow keys'}
          </span>
        </span>
      )}
    </p>
  );
}

/** The width of an element in CSS pixels, kept true as it changes; 0 before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    setWidth(Math.round(current.clientWidth));
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
