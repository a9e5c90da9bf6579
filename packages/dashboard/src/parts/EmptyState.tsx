import type { ReactNode } from 'react';
import { Logo } from './Logo.tsx';

/** Says what would stand here and what to do to get it. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      <Logo size={44} />
      <h2>{title}</h2>
      <p>{children}</p>
      {action !== undefined && <div className="empty-action">{action}</div>}
    </div>
  );
}
