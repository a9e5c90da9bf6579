import { queryOptions } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { type Answer, type Body, call } from '../../api/client.ts';
import { Logo } from '../../parts/Logo.tsx';

interface SessionFrameProps {
  title: string;
  /** Title of the browser tab, when it differs. */
  tab?: string;
  line: ReactNode;
  children: ReactNode;
}

/** The frame of pages without a session: logo, one sentence, one form. */
export function SessionFrame({ title, tab = title, line, children }: SessionFrameProps) {
  useEffect(() => {
    document.title = `${tab} · Ghostlight`;
  }, [tab]);
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Logo size={56} />
        <h1>{title}</h1>
        <p className="sign-in-line">{line}</p>
        {children}
      </div>
    </main>
  );
}

/** The API of one-time links. */
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
    // A link does not change while its page is open, and its answer is not kept afterwards.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
