import type { ReactNode } from 'react';
import '../../styles/workspace.css';
import './sharing.css';

interface SharingPanelProps {
  /** The fragment of its address. */
  id: string;
  title: string;
  /** What it does, in one sentence. */
  about: string;
  /** The button at its head. */
  action?: ReactNode;
  children: ReactNode;
}

/** The layout of every part of this page: a head with its lead and its action, and a list or a form below. */
export function SharingPanel({ id, title, about, action, children }: SharingPanelProps) {
  return (
    <section id={id} className="card panel" aria-label={title}>
      <header className="panel-head">
        <div>
          <h2>{title}</h2>
          <p className="quiet">{about}</p>
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
