import { useSearch } from '@tanstack/react-router';
import { compact } from '../../format/search.ts';
import { useSession } from '../session/useSession.ts';

interface OrganizationSearch {
  /** The organization that the admin token looks at; everyone else belongs to one. */
  organization?: string;
}

export function readOrganization(search: Record<string, unknown>): OrganizationSearch {
  const id = search['organization'];
  return compact<OrganizationSearch>({
    organization: typeof id === 'string' && /^[0-9a-f-]{36}$/i.test(id) ? id : undefined,
  });
}

/** The organization that the admin token looks at, for `?organization=`; undefined for members, and for the default. */
export function useWhere(): string | undefined {
  const { organization } = useSearch({ from: '/signed-in/people' });
  return useSession().organization === null ? organization : undefined;
}
