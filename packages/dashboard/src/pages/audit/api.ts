/** What the audit log is asked for. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { Where } from '../../features/people/api.ts';
import type { AuditSearch } from './search.ts';

const PAGE_SIZE = 50;
/** Pages that are kept on the screen. */
const MAX_PAGES = 40;
const DAY_MS = 86_400_000;

export const auditQuery = (where: Where, search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit', where, search],
    queryFn: ({ pageParam, signal }) =>
      get('/api/v1/organization/audit', {
        query: { ...wanted(search), after: pageParam, organization: where },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }, pages) => (pages.length < MAX_PAGES ? (next ?? undefined) : undefined),
  });

/** Days of the address, both included, as the moments that the service asks for. */
function wanted({ action, actor, from, to }: AuditSearch): Record<string, string | undefined> {
  return {
    limit: String(PAGE_SIZE),
    action,
    actor,
    from: from === undefined ? undefined : `${from}T00:00:00Z`,
    to: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS).toISOString(),
  };
}
