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
