import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { reportQuery } from '../../features/reports/api.ts';
import { countText } from '../../features/reports/figures.ts';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { isFiltered } from '../../features/reports/search.ts';
import type { ReportAddress } from '../../features/reports/useReportSearch.ts';
import { useShared } from '../../features/session/shared.ts';

/** What `Elsewhere` says, asked for with the list. Only without filters, because neither report has all of them. @param isElsewhere the page shows none of it */
export function useElsewhere(
  property: Property,
  { search, query }: Pick<ReportAddress, 'search' | 'query'>,
  isElsewhere: boolean,
) {
  const enabled = useShared() === null && !isFiltered(search) && !isElsewhere;
  const asked = { enabled, refetchInterval: false as const };
  const one = { ...query, limit: '1' };
  const unread = useQuery({ ...reportQuery(property.id, 'pages/unread', one), ...asked });
  const failures = useQuery({ ...reportQuery(property.id, 'failures', one), ...asked });
  return { enabled, unread, failures };
}

/** How many pages of the sitemap no bot read, and how many paths failed. */
export function Elsewhere({ enabled, unread, failures }: ReturnType<typeof useElsewhere>) {
  if (!enabled) return null;
  const failed = failures.data?.totals.paths ?? 0;
  const wait = (
    <p className="aside">
      <span className="wait-bar" style={{ width: '22ch' }} />
    </p>
  );
  return (
    <>
      {unread.isPending && wait}
      {unread.data !== undefined && unread.data.total > 0 && (
        <p className="aside">
          <ReportLink to="pages" narrow={{ group: 'unread', kind: undefined }}>
            {countText(unread.data.total)} of {countText(unread.data.pages)} in the sitemap unread
          </ReportLink>
        </p>
      )}
      {failures.isPending && wait}
      {failed > 0 && (
        <p className="aside">
          <ReportLink to="failures">
            {countText(failed)} {failed === 1 ? 'path' : 'paths'} failed for bots
          </ReportLink>
        </p>
      )}
    </>
  );
}
