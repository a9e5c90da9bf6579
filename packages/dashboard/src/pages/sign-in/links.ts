/** What one-time links open; their pages load when somebody opens one. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Role, Session } from '../../api/types.ts';

export interface OneTimeLink {
  readonly kind: 'welcome' | 'invitation' | 'reset';
  readonly email: string | null;
  readonly role: Role | null;
  readonly organization: string | null;
  /** The invited address has an account here already. */
  readonly has_account: boolean;
  /** Active API tokens of the person whose password a link resets. */
  readonly api_tokens: number;
  readonly expires_at: string;
}

export const linksApi = {
  inspect: (token: string, signal?: AbortSignal) =>
    call<OneTimeLink>('POST', '/api/v1/links/inspect', { token }, { signal }),
  welcome: (body: { token: string; name: string; email: string; password: string }) =>
    call<Session>('POST', '/api/v1/welcome', body),
  accept: (body: { token: string; password: string; name?: string; code?: string }) =>
    call<Session>('POST', '/api/v1/invitations/accept', body),
  requestReset: (email: string) => call<unknown>('POST', '/api/v1/password-resets', { email }),
  completeReset: (body: { token: string; password: string; revoke_api_tokens: boolean }) =>
    call<unknown>('POST', '/api/v1/password-resets/complete', body),
};

export function linkQuery(token: string) {
  return queryOptions({
    queryKey: ['one-time-link', token],
    queryFn: ({ signal }) => linksApi.inspect(token, signal),
    // What it opens does not change while its page is open, and nothing of it stays afterwards.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
