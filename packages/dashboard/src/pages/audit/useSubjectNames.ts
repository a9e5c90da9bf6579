import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { useProperties } from '../../features/property/useProperty.ts';
import { useMay } from '../../features/session/useSession.ts';

/** Names of what the log tells of, by id: what is still there and may be seen. The log itself holds ids alone, so that it outlives them. */
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
