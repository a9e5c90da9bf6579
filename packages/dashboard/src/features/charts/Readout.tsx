import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';

interface ReadoutProps {
  hint: string;
  /** A bar can be opened. */
  opens?: boolean;
  /** The chart as files, at the end of the line. */
  files: ReactNode;
  children?: ReactNode;
}

/** The line above a chart: the figures of a bar, else the title. Always one line high, so that nothing below moves. */
export function Readout({ hint, opens = false, files, children }: ReadoutProps) {
  return (
    <div className="chart-top">
      <p className="readout number" aria-hidden="true">
        {children || (
          <span className="readout-hint">
            {hint}
            <span className="readout-how">
              {' '}
              · {opens ? 'hover for details, click to open' : 'hover for details, or use the arrow keys'}
            </span>
          </span>
        )}
      </p>
      {files}
    </div>
  );
}

/** The width of an element in CSS pixels, updated as it changes; 0 before it is known. While the element is hidden it keeps its last one. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    setWidth(Math.round(current.clientWidth));
    const observer = new ResizeObserver(([entry]) => {
      const wide = Math.round(entry?.contentRect.width ?? 0);
      // Hidden for a moment, it has none: the chart would be blank when it is back, until it is measured and drawn again.
      if (wide > 0) setWidth(wide);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
