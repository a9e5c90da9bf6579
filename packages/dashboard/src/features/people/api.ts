/** Calls of the organization's pages. The admin token, which belongs to no organization, names one in each call. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, type Body, call, get } from '../../api/client.ts';
import type { ApiToken, Member } from '../../api/schema.gen.ts';

export type {
  ApiToken,
  AuditEntry,
  Deletion,
  Invitation,
  Member,
  Organization,
} from '../../api/schema.gen.ts';

const ORGANIZATION = '/api/v1/organization';

const DELETING_INTERVAL_MS = 5_000;
const TAKEOUT_INTERVAL_MS = 2_000;

/** The organization; undefined: the caller's own. */
export type Where = string | undefined;

export const peopleApi = {
  rename: (where: Where, name: string) => call('PATCH', ORGANIZATION, { query: at(where), body: { name } }),
  remove: (where: Where, confirm: string) =>
    call('DELETE', ORGANIZATION, { query: { ...at(where), confirm } }),
  takeout: (where: Where) => call('POST', '/api/v1/takeouts', { query: at(where) }),
  takeoutLink: (where: Where, id: string) =>
    call('POST', '/api/v1/takeouts/{takeout_id}/link', { params: { takeout_id: id }, query: at(where) }),
  deleteTakeout: (where: Where, id: string) =>
    call('DELETE', '/api/v1/takeouts/{takeout_id}', { params: { takeout_id: id }, query: at(where) }),
  create: (name: string) => call('POST', '/api/v1/organizations', { body: { name } }),
  changeMember: (where: Where, id: string, body: MemberChange) =>
    call('PATCH', `${ORGANIZATION}/members/{person_id}`, {
      params: { person_id: id },
      query: at(where),
      body,
    }),
  removeMember: (where: Where, id: string) =>
    call('DELETE', `${ORGANIZATION}/members/{person_id}`, { params: { person_id: id }, query: at(where) }),
  invite: (where: Where, body: Body<`POST ${typeof ORGANIZATION}/invitations`>) =>
    call('POST', `${ORGANIZATION}/invitations`, { query: at(where), body }),
  withdraw: (where: Where, id: string) =>
    call('DELETE', `${ORGANIZATION}/invitations/{invitation_id}`, {
      params: { invitation_id: id },
      query: at(where),
    }),
  issueToken: (where: Where, body: Body<`POST ${typeof ORGANIZATION}/tokens`>) =>
    call('POST', `${ORGANIZATION}/tokens`, { query: at(where), body }),
  revokeToken: (where: Where, id: string) =>
    call('DELETE', `${ORGANIZATION}/tokens/{token_id}`, { params: { token_id: id }, query: at(where) }),
};

export const peopleQueries = {
  organizations: () =>
    queryOptions({
      queryKey: ['organizations'],
      queryFn: async ({ signal }) => (await get('/api/v1/organizations', { signal })).items,
    }),
  organization: (where: Where) =>
    queryOptions({
      queryKey: ['organization', where],
      queryFn: ({ signal }) => get(ORGANIZATION, { query: at(where), signal }),
    }),
  members: (where: Where) =>
    queryOptions({
      queryKey: ['members', where],
      queryFn: async ({ signal }) =>
        (await get(`${ORGANIZATION}/members`, { query: at(where), signal })).items,
    }),
  invitations: (where: Where) =>
    queryOptions({
      queryKey: ['invitations', where],
      queryFn: async ({ signal }) =>
        (await get(`${ORGANIZATION}/invitations`, { query: at(where), signal })).items,
    }),
  takeouts: (where: Where) =>
    queryOptions({
      queryKey: ['takeouts', where],
      queryFn: async ({ signal }) => (await get('/api/v1/takeouts', { query: at(where), signal })).items,
      refetchInterval: ({ state: { data = [] } }) =>
        data.some(({ state }) => state === 'waiting' || state === 'making') && TAKEOUT_INTERVAL_MS,
    }),
  deletions: (where: Where) =>
    queryOptions({
      queryKey: ['deletions', where],
      queryFn: async ({ signal }) => (await get('/api/v1/deletions', { query: at(where), signal })).items,
      refetchInterval: ({ state: { data = [] } }) =>
        data.some(({ state }) => state !== 'done') && DELETING_INTERVAL_MS,
    }),
  tokens: (where: Where) =>
    queryOptions({
      queryKey: ['api-tokens', where],
      queryFn: async ({ signal }) =>
        (await get(`${ORGANIZATION}/tokens`, { query: at(where), signal })).items,
    }),
};

const at = (organization: Where) => ({ organization });

export type OwnOrganization = Answer<'GET /api/v1/organization'>;
export type MemberChange = Body<`PATCH ${typeof ORGANIZATION}/members/{person_id}`>;
/** Chosen properties with a role in each; null: all properties. */
export type Access = Member['properties'];
export type PropertyRole = NonNullable<Access>[number]['role'];
export type Invited = Answer<'POST /api/v1/organization/invitations'>;
export type TokenRole = ApiToken['role'];
export type NewToken = Body<'POST /api/v1/organization/tokens'>;
