import { createContext, type ReactNode, useContext } from 'react';

/** Whether a section is part of a group, whose heading is above its own. */
const GroupedContext = createContext(false);

/** Sections of one kind, below a heading: what they are for. */
export function SectionGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <GroupedContext value={true}>
      <div className="section-group">
        <h2>{title}</h2>
        {children}
      </div>
    </GroupedContext>
  );
}

/** @param about what it does, in one sentence */
export function Section({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  const Heading = useContext(GroupedContext) ? 'h3' : 'h2';
  return (
    <section className="section" aria-label={title}>
      <div>
        <Heading>{title}</Heading>
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
