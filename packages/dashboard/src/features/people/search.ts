import { compact } from '../../format/search.ts';

export interface OrganizationSearch {
  /** Which of all organizations the root token looks at; everybody else stands in one. */
  organization?: string;
}

export function readOrganization(search: Record<string, unknown>): OrganizationSearch {
  const id = search['organization'];
  return compact<OrganizationSearch>({
    organization: typeof id === 'string' && /^[0-9a-f-]{36}$/i.test(id) ? id : undefined,
  });
}
