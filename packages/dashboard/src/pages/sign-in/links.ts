/** What one-time links open; their pages load when somebody opens one. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, type Body, call } from '../../api/client.ts';

export type OneTimeLink = Answer<'POST /api/v1/links/inspect'>;

export const linksApi = {
  inspect: (token: string, signal?: AbortSignal) =>
    call('POST', '/api/v1/links/inspect', { body: { token }, signal }),
  welcome: (body: Body<'POST /api/v1/welcome'>) => call('POST', '/api/v1/welcome', { body }),
  accept: (body: Body<'POST /api/v1/invitations/accept'>) =>
    call('POST', '/api/v1/invitations/accept', { body }),
  requestReset: (email: string) => call('POST', '/api/v1/password-resets', { body: { email } }),
  completeReset: (body: Body<'POST /api/v1/password-resets/complete'>) =>
    call('POST', '/api/v1/password-resets/complete', { body }),
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
