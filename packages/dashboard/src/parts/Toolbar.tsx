import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface ToolbarProps {
  id?: string;
  /** A class for styles of the page. */
  className?: string;
  /** For styles, where a button opens it on a phone. */
  isOpen?: boolean;
  children: ReactNode;
}

/** The filters above a list. They are sticky, and so is the list's head below them: siblings get the height as a CSS variable. */
export function Toolbar({ id, className, isOpen, children }: ToolbarProps) {
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
      id={id}
      className={className === undefined ? 'toolbar' : `toolbar ${className}`}
      data-open={isOpen}
      role="toolbar"
      aria-label="Filters"
    >
      {children}
    </div>
  );
}

export interface FilterSelectProps<T extends string> {
  label: string;
  /** Says that nothing is filtered, where "Label: all" reads badly. */
  all?: string;
  value: T | undefined;
  options: readonly (readonly [T, string])[];
  onChange: (value: T | undefined) => void;
}

/** A filter as the browser's own select, which works well on phones. */
export function FilterSelect<T extends string>({
  label,
  all = `${label}: all`,
  value,
  options,
  onChange,
}: FilterSelectProps<T>) {
  return (
    <select
      className="input select filter"
      aria-label={label}
      data-set={value !== undefined}
      value={value ?? ''}
      onChange={(event) => onChange(options.find(([name]) => name === event.target.value)?.[0])}
    >
      <option value="">{all}</option>
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
}
