import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/useSession.ts';
import { peopleQueries } from './api.ts';

/** The caller's organization; for the admin token, which sees all of them, the only one. null: there are several, or it is not known yet. */
export function useOrganizationName(): string | null {
  const { organization } = useSession();
  const all = useQuery({ ...peopleQueries.organizations(), enabled: organization === null }).data ?? [];
  return organization?.name ?? (all.length === 1 ? (all[0]?.name ?? null) : null);
}
