import type { ReactNode } from 'react';
import './settings.css';

/** What can't be undone, or shuts others out: at the end of a page, apart from what is changed often. */
export function DangerZone({ children }: { children: ReactNode }) {
  return (
    <section className="danger-zone" aria-label="Danger zone">
      <h2>Danger zone</h2>
      <ul>{children}</ul>
    </section>
  );
}

interface DangerRowProps {
  title: string;
  /** What it does, and whether it can be undone. */
  about: ReactNode;
  /** Its button. */
  children: ReactNode;
}

export function DangerRow({ title, about, children }: DangerRowProps) {
  return (
    <li>
      <div>
        <h3>{title}</h3>
        <p className="quiet">{about}</p>
      </div>
      <div>{children}</div>
    </li>
  );
}
