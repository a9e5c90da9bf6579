/** Calls of the organization's pages. Each names the organization where the caller is the root token, which stands in none. */
import { queryOptions } from '@tanstack/react-query';
import { call, get } from '../../api/client.ts';
import type { Role } from '../../api/types.ts';
import type {
  ApiToken,
  Invitation,
  Invited,
  Member,
  NewToken,
  Organization,
  OwnOrganization,
} from './types.ts';

const BASE = '/api/v1/organization';

/** The organization that is meant; undefined: the caller's own. */
export type Where = string | undefined;

export const peopleApi = {
  rename: (where: Where, name: string) => call<Organization>('PATCH', at(where), { name }),
  create: (name: string) => call<Organization>('POST', '/api/v1/organizations', { name }),
  setRole: (where: Where, personId: string, role: Role) =>
    call<Member>('PATCH', at(where, `/members/${encodeURIComponent(personId)}`), { role }),
  removeMember: (where: Where, personId: string) =>
    call<unknown>('DELETE', at(where, `/members/${encodeURIComponent(personId)}`)),
  invite: (where: Where, body: { email: string; role: Role }) =>
    call<Invited>('POST', at(where, '/invitations'), body),
  withdraw: (where: Where, id: string) =>
    call<unknown>('DELETE', at(where, `/invitations/${encodeURIComponent(id)}`)),
  issueToken: (where: Where, body: NewToken) =>
    call<ApiToken & { readonly token: string }>('POST', at(where, '/tokens'), body),
  revokeToken: (where: Where, id: string) =>
    call<unknown>('DELETE', at(where, `/tokens/${encodeURIComponent(id)}`)),
};

export const peopleQueries = {
  organizations: () =>
    queryOptions({ queryKey: ['organizations'], queryFn: list<Organization>('/api/v1/organizations') }),
  organization: (where: Where) =>
    queryOptions({
      queryKey: ['organization', where],
      queryFn: ({ signal }) => get<OwnOrganization>(at(where), signal),
    }),
  members: (where: Where) =>
    queryOptions({ queryKey: ['members', where], queryFn: list<Member>(at(where, '/members')) }),
  invitations: (where: Where) =>
    queryOptions({ queryKey: ['invitations', where], queryFn: list<Invitation>(at(where, '/invitations')) }),
  tokens: (where: Where) =>
    queryOptions({ queryKey: ['api-tokens', where], queryFn: list<ApiToken>(at(where, '/tokens')) }),
};

function list<T>(path: string): (context: { signal: AbortSignal }) => Promise<readonly T[]> {
  return async ({ signal }) => (await get<{ items: readonly T[] }>(path, signal)).items;
}

/** An address below the organization's. */
export function at(where: Where, path = '', query: Record<string, string | undefined> = {}): string {
  const pairs = Object.entries({ ...query, organization: where }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `${BASE}${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}
