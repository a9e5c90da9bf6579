import { type ReactNode, useId } from 'react';

interface ToolSectionProps {
  title: string;
  about: string;
  /** Stands at the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function ToolSection({ title, about, aside, children }: ToolSectionProps) {
  const id = useId();
  return (
    <section className="tool-section" aria-labelledby={id}>
      <header>
        <div>
          <h3 id={id}>{title}</h3>
          <p className="quiet">{about}</p>
        </div>
        {aside}
      </header>
      {children}
    </section>
  );
}
