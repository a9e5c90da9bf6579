import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { compact } from '../../format/search.ts';
import { readablePath } from '../../format/visible.ts';
import { useProperty } from '../property/useProperty.ts';
import { carriedOver, type ReportChange, type ReportName, type ReportSearch } from './search.ts';
import { useReportSearch } from './useReportSearch.ts';

interface ReportLinkProps {
  to: ReportName;
  /** What the other report is narrowed to, on top of the period and the filters that are set. */
  narrow?: ReportChange;
  className?: string;
  title?: string;
  children: ReactNode;
}

/** From one report to another, with the period and the filters kept. */
export function ReportLink({ to, narrow = {}, className = 'report-link', title, children }: ReportLinkProps) {
  const property = useProperty();
  const { search } = useReportSearch();
  if (property === null) return children;
  return (
    <Link
      to={`/p/$propertyId/${to}`}
      params={{ propertyId: property.id }}
      search={compact<ReportSearch>({ ...carriedOver(search), ...narrow })}
      className={className}
      title={title}
    >
      {children}
    </Link>
  );
}

/** Longer ones are cut on the screen, and whole on hover. */
const CUT_FROM = 120;

/** A path, which anybody may have made up. */
export function PathText({ path }: { path: string }) {
  return (
    <span className="path mono" title={path.length > CUT_FROM ? path : undefined}>
      {readablePath(path)}
    </span>
  );
}
