/** Calls of a person's own account. */
import { queryOptions } from '@tanstack/react-query';
import { call, get } from '../../api/client.ts';
import type { Session } from '../../api/types.ts';
import type { Account, RecoveryCodes, SignInSession, TotpSetup } from './types.ts';

const BASE = '/api/v1/account';

export const accountApi = {
  rename: (name: string) => call<Account>('PATCH', BASE, { name }),
  changePassword: (body: { current: string; new: string; revoke_api_tokens: boolean }) =>
    call<unknown>('PUT', `${BASE}/password`, body),
  moveTo: (organizationId: string) =>
    call<Session>('PUT', `${BASE}/organization`, { organization_id: organizationId }),
  leave: (organizationId: string) =>
    call<unknown>('DELETE', `${BASE}/organizations/${encodeURIComponent(organizationId)}`),
  beginTotp: (password: string) => call<TotpSetup>('POST', `${BASE}/totp`, { password }),
  confirmTotp: (code: string) => call<RecoveryCodes>('POST', `${BASE}/totp/confirm`, { code }),
  disableTotp: (body: { password: string; code: string }) =>
    call<unknown>('POST', `${BASE}/totp/disable`, body),
  renewCodes: (password: string) => call<RecoveryCodes>('POST', `${BASE}/recovery-codes`, { password }),
  endSession: (id: string) => call<unknown>('DELETE', `${BASE}/sessions/${encodeURIComponent(id)}`),
  endOtherSessions: () => call<unknown>('DELETE', `${BASE}/sessions`),
};

export function accountQuery() {
  return queryOptions({
    queryKey: ['account'],
    queryFn: ({ signal }) => get<Account>(BASE, signal),
    staleTime: 30_000,
  });
}

export function sessionsQuery() {
  return queryOptions({
    queryKey: ['account-sessions'],
    queryFn: async ({ signal }) =>
      (await get<{ items: readonly SignInSession[] }>(`${BASE}/sessions`, signal)).items,
  });
}
