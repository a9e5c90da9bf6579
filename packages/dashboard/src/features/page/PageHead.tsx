import type { ReactNode } from 'react';
import { useTabTitle } from './useTabTitle.ts';

interface PageHeadProps {
  title: string;
  /** In the browser's tab, where it says more. */
  tab?: string;
  about?: ReactNode;
  children?: ReactNode;
}

/** The title of a page, here and in the browser's tab, with what can be done on it. */
export function PageHead({ title, tab = title, about, children }: PageHeadProps) {
  useTabTitle(tab);
  return (
    <header className="page-head">
      <div className="page-title">
        <h1>{title}</h1>
        {about !== undefined && <p className="page-about">{about}</p>}
      </div>
      {children !== undefined && <div className="page-actions">{children}</div>}
    </header>
  );
}
