import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface ToolbarProps {
  /** What the page's own styles know it by. */
  className?: string;
  children: ReactNode;
}

/** The filters above a list. They stay in sight, and the list's head stays below them: how high they are is told to what stands beside them. */
export function Toolbar({ className, children }: ToolbarProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    const beside = current?.parentElement;
    if (current === null || !beside) return;
    const observer = new ResizeObserver(() =>
      beside.style.setProperty('--toolbar-height', `${current.offsetHeight}px`),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className={className === undefined ? 'toolbar' : `toolbar ${className}`}
      role="toolbar"
      aria-label="Filters"
    >
      {children}
    </div>
  );
}
