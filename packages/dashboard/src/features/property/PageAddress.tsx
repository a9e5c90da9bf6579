import type { ReactNode } from 'react';
import { useProperty } from './useProperty.ts';

interface PageAddressProps {
  host: string;
  /** Begins with `/`. */
  path: string;
  children: ReactNode;
}

/** A link to a page of the site itself. A host that is none of the property's, as a request may name any, gets none. */
export function PageAddress({ host, path, children }: PageAddressProps) {
  const domain = useProperty()?.domain;
  const isOurs = domain !== undefined && (host === domain || host.endsWith(`.${domain}`));
  return isOurs && path.startsWith('/') ? (
    <a className="report-link" href={`https://${host}${path}`} target="_blank" rel="noopener noreferrer">
      {children}
      <span aria-hidden="true"> ↗</span>
    </a>
  ) : (
    children
  );
}
