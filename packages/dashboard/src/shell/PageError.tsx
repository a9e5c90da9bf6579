import { type ErrorComponentProps, Link, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { ApiError, UNREACHABLE } from '../api/client.ts';
import { PageHead } from '../features/page/PageHead.tsx';
import { titleAt } from '../features/page/pages.tsx';
import { Logo } from '../parts/Logo.tsx';
import { EmptyState, ErrorState, NotLoaded } from '../parts/states.tsx';
import { useConnection, useOnReturn } from './away.tsx';
import { NOT_LOADED } from './lazy-page.ts';

const ATTEMPTS = 5;
const BETWEEN_MS = 1_000;

/** A network that has just come back may refuse the first request. A service that stays away leaves the error where it is. */
async function reloadOnceReachable(): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const isReachable = await fetch('/healthz').then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReachable) {
      window.location.reload();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
}

/** Inside a frame, which has the rail and `<main>`. */
export const FramedContext = createContext(false);

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isFramed = useContext(FramedContext);
  const { awaySince } = useConnection();
  const title = useRouterState({ select: ({ matches }) => titleAt(matches.at(-1)?.pathname ?? '') });
  const retry = () => {
    // A failed import stays failed in this document, so the page is reloaded, once the service can be reached.
    if (error instanceof ApiError && error.code === NOT_LOADED) {
      void reloadOnceReachable();
      return;
    }
    reset();
    void router.invalidate();
  };
  useOnReturn(retry);
  // App.tsx already redirects to the sign-in page.
  if (error instanceof ApiError && error.status === 401) return <PagePending />;
  const fault = isWaiting(error, awaySince !== null) ? (
    <NotLoaded />
  ) : (
    <ErrorState error={error} onRetry={retry} />
  );
  if (!isFramed) return <main className="centre">{fault}</main>;
  return (
    <>
      {title !== undefined && <PageHead title={title} />}
      {fault}
    </>
  );
}

/** The banner says why: the page opens when the service is back. */
const isWaiting = (error: unknown, isAway: boolean): boolean =>
  isAway && error instanceof ApiError && (error.code === NOT_LOADED || error.code === UNREACHABLE);

export function PagePending() {
  return (
    <div className="centre" role="status" aria-label="Loading">
      <Logo breathing />
    </div>
  );
}

export function NotFound() {
  return (
    <main className="centre">
      <EmptyState
        heading="h1"
        title="Page not found"
        action={
          <Link to="/" className="button button-primary">
            Back to your properties
          </Link>
        }
      >
        There is no page at this address, or its property has been deleted.
      </EmptyState>
    </main>
  );
}

/** Within the frame of a share link, whose reader has no pages but its reports. */
export function SharedNotFound() {
  const { token = '' } = useParams({ strict: false });
  return (
    <EmptyState
      heading="h1"
      title="Page not found"
      action={
        <Link to="/s/$token/overview" params={{ token }} className="button button-primary">
          Open the overview
        </Link>
      }
    >
      This share link has no such page. The tabs above open its reports.
    </EmptyState>
  );
}
