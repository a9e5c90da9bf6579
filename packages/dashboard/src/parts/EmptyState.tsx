import type { ReactNode } from 'react';
import { Logo } from './Logo.tsx';

/** Says what would stand here and what to do to get it. */
export function EmptyState({
  title,
  children,
  action,
  heading: Heading = 'h2',
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** `h1` where nothing else is on the page. */
  heading?: 'h1' | 'h2';
}) {
  return (
    <div className="empty">
      <Logo size={44} />
      <Heading>{title}</Heading>
      <p>{children}</p>
      {action !== undefined && <div className="empty-action">{action}</div>}
    </div>
  );
}
