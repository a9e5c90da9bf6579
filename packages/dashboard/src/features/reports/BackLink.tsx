import { ReportLink } from './ReportLink.tsx';
import type { FilteredPage, ReportChange } from './search.ts';

interface BackLinkProps {
  to: FilteredPage;
  /** Filters that the list doesn't have. */
  narrow?: ReportChange;
  /** The name of the list. */
  children: string;
}

/** From one of a list back to the list, above its title. */
export function BackLink({ to, narrow = {}, children }: BackLinkProps) {
  return (
    <p className="page-back">
      <span aria-hidden="true">← </span>
      <ReportLink to={to} narrow={narrow}>
        {children}
      </ReportLink>
    </p>
  );
}
