import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { compact } from '../../format/search.ts';
import { readablePath } from '../../format/visible.ts';
import { useProperty } from '../property/useProperty.ts';
import { isSharedPage, useShared } from '../session/shared.ts';
import { carriedOver, type FilteredPage, type ReportChange, type ReportSearch } from './search.ts';
import { useReportSearch } from './useReportSearch.ts';

interface ReportLinkProps {
  to: FilteredPage;
  /** Filters of the other report, on top of the current period and filters. */
  narrow?: ReportChange;
  /** A place in the page. */
  hash?: string;
  className?: string;
  title?: string;
  children: ReactNode;
}

/** A link to another report that keeps the period and the filters. */
export function ReportLink({
  to,
  narrow = {},
  hash,
  className = 'report-link',
  title,
  children,
}: ReportLinkProps) {
  const property = useProperty();
  const { search } = useReportSearch();
  const shared = useShared();
  if (property === null) return children;
  const opened = compact<ReportSearch>({ ...carriedOver(search), ...narrow });
  if (shared !== null)
    return isSharedPage(to) ? (
      <Link
        to={`/s/$token/${to}`}
        params={{ token: shared.token }}
        search={opened}
        {...(hash === undefined ? {} : { hash })}
        className={className}
        title={title}
      >
        {children}
      </Link>
    ) : (
      children
    );
  return (
    <Link
      to={`/p/$propertyId/${to}`}
      params={{ propertyId: property.id }}
      search={opened}
      {...(hash === undefined ? {} : { hash })}
      className={className}
      title={title}
    >
      {children}
    </Link>
  );
}

/** After the name of a row that opens another list. */
export const RowOpens = () => (
  <span className="row-opens" aria-hidden="true">
    ›
  </span>
);

/** Longer paths are cut, with the full path on hover. */
const CUT_FROM = 120;

/** A path, which is untrusted text. */
export function PathText({ path }: { path: string }) {
  return (
    <span className="path mono" title={path.length > CUT_FROM ? path : undefined}>
      {readablePath(path)}
    </span>
  );
}
