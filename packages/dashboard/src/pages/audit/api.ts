/** Queries of the audit log. */
import { infiniteQueryOptions, useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { peopleQueries, type Where } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { useProperties } from '../../features/property/useProperty.ts';
import { useMay } from '../../features/session/useSession.ts';
import { dayStart } from './days.ts';
import type { AuditSearch } from './search.ts';

const PAGE_SIZE = 50;
/** The most pages on the screen. */
const MAX_PAGES = 40;

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

/** Days of the address, inclusive, as the instants of the API. */
function wanted({ action, actor, from, to }: AuditSearch): Record<string, string | undefined> {
  return {
    limit: String(PAGE_SIZE),
    action,
    actor,
    from: from === undefined ? undefined : dayStart(from),
    to: to === undefined ? undefined : dayStart(to, 1),
  };
}

/** Names by id, of everything that still exists and is visible. The log holds ids only. */
export function useSubjectNames(): ReadonlyMap<string, string> {
  const where = useWhere();
  const properties = useProperties();
  const members = useQuery(peopleQueries.members(where)).data ?? [];
  const tokens = useQuery(peopleQueries.tokens(where)).data ?? [];
  const keys = useQuery(queries.keys()).data ?? [];
  const organizations = useQuery(peopleQueries.organizations()).data ?? [];
  const invitations = useQuery({ ...peopleQueries.invitations(where), enabled: useMay('people') }).data ?? [];
  return new Map([
    ...[...properties, ...tokens, ...keys, ...organizations].map(({ id, name }) => [id, name] as const),
    ...members.map(({ person_id, name }) => [person_id, name] as const),
    ...invitations.map(({ id, email }) => [id, email] as const),
  ]);
}
