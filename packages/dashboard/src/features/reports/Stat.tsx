import type { ReactNode } from 'react';

interface StatProps {
  label: ReactNode;
  value: ReactNode;
  /** Beside the figure: a change. */
  aside?: ReactNode;
  /** Below it, in one short line. */
  note?: ReactNode;
}

/** One figure of a strip (`<dl className="stat-strip card">`). */
export function Stat({ label, value, aside, note }: StatProps) {
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd className="number">
        {value} {aside}
        {note !== undefined && <div className="stat-note">{note}</div>}
      </dd>
    </div>
  );
}
