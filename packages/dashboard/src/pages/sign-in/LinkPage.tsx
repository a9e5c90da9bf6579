import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import '../../styles/workspace.css';
import { InvitationForm } from './InvitationForm.tsx';
import { ResetForm } from './ResetForm.tsx';
import { linkQuery, type OneTimeLink, SessionFrame } from './SessionFrame.tsx';
import { WelcomeForm } from './WelcomeForm.tsx';

/** The page of a one-time link: the first account, an invitation or a new password. */
export function LinkPage() {
  const token = useRouteContext({ strict: false, select: (context) => context.token });
  if (typeof token !== 'string') {
    return (
      <Closed title="Open the link again">
        The link’s secret is removed from the address as soon as it is read, so this page can’t be reloaded.
        Open the link again.
      </Closed>
    );
  }
  return <Opened key={token} token={token} />;
}

function Opened({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(linkQuery(token));
  if (error instanceof ApiError && error.status === 404) {
    return <Closed title="This link is no longer valid">{error.message}</Closed>;
  }
  if (data === undefined) {
    return (
      <SessionFrame title="Ghostlight" line="One moment.">
        <div className="sign-in-form">
          {error === null ? (
            <Skeleton lines={4} />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )}
        </div>
      </SessionFrame>
    );
  }
  return formOf(token, data);
}

function formOf(token: string, link: OneTimeLink): ReactNode {
  switch (link.kind) {
    case 'welcome':
      return <WelcomeForm token={token} />;
    case 'invitation':
      return <InvitationForm token={token} link={link} />;
    case 'reset':
      return <ResetForm token={token} link={link} />;
  }
}

function Closed({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SessionFrame title={title} line={children}>
      <div className="sign-in-form">
        <Link to="/sign-in" className="button button-primary button-wide">
          Go to sign-in
        </Link>
      </div>
    </SessionFrame>
  );
}
