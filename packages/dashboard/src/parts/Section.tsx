import type { ReactNode } from 'react';

interface SectionProps {
  /** The fragment of its address. */
  id?: string;
  title: string;
  /** What it does, in one sentence; left out where its fields say it. */
  about?: string;
  children: ReactNode;
}

export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section {...(id === undefined ? {} : { id })} className="section" aria-label={title}>
      <div>
        <h2>{title}</h2>
        {about !== undefined && <p className="quiet">{about}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}

export function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="step" aria-label={`Step ${number}: ${title}`}>
      <h2>
        <span className="step-number" aria-hidden="true">
          {number}
        </span>
        {title}
      </h2>
      <div className="step-body">{children}</div>
    </section>
  );
}
