import { type RefObject, useLayoutEffect, useState } from 'react';

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
