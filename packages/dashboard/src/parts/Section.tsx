import type { ReactNode } from 'react';

export function Section({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <section className="section" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="quiet">{about}</p>
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
