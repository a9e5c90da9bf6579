/** Calls of a person's own account. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, type Body, call, get } from '../../api/client.ts';

export type { Account, RecoveryCodes, TotpSetup } from '../../api/schema.gen.ts';

export const accountApi = {
  rename: (name: string) => call('PATCH', '/api/v1/account', { body: { name } }),
  changePassword: (body: Body<'PUT /api/v1/account/password'>) =>
    call('PUT', '/api/v1/account/password', { body }),
  moveTo: (organizationId: string) =>
    call('PUT', '/api/v1/account/organization', { body: { organization_id: organizationId } }),
  leave: (organizationId: string) =>
    call('DELETE', '/api/v1/account/organizations/{organization_id}', {
      params: { organization_id: organizationId },
    }),
  beginTotp: (password: string) => call('POST', '/api/v1/account/totp', { body: { password } }),
  confirmTotp: (code: string) => call('POST', '/api/v1/account/totp/confirm', { body: { code } }),
  disableTotp: (body: Body<'POST /api/v1/account/totp/disable'>) =>
    call('POST', '/api/v1/account/totp/disable', { body }),
  renewCodes: (password: string) => call('POST', '/api/v1/account/recovery-codes', { body: { password } }),
  endSession: (id: string) =>
    call('DELETE', '/api/v1/account/sessions/{session_id}', { params: { session_id: id } }),
  endOtherSessions: () => call('DELETE', '/api/v1/account/sessions'),
};

export function accountQuery() {
  return queryOptions({
    queryKey: ['account'],
    queryFn: ({ signal }) => get('/api/v1/account', { signal }),
    staleTime: 30_000,
  });
}

export function sessionsQuery() {
  return queryOptions({
    queryKey: ['account-sessions'],
    queryFn: async ({ signal }) => (await get('/api/v1/account/sessions', { signal })).items,
  });
}

export type SignInSession = Answer<'GET /api/v1/account/sessions'>['items'][number];
