import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { Logo } from '../parts/Logo.tsx';
import { EmptyState, ErrorState } from '../parts/states.tsx';
import { NOT_LOADED } from './lazy-page.ts';

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  // The way to the sign-in page has already begun (App.tsx).
  if (error instanceof ApiError && error.status === 401) return <PagePending />;
  const retry = () => {
    // What failed to load stays failed in this document: it is loaded anew, once there is something to load it from.
    if (error instanceof ApiError && error.code === NOT_LOADED) {
      void fetch('/healthz').then(
        ({ ok }) => ok && window.location.reload(),
        () => undefined,
      );
      return;
    }
    reset();
    void router.invalidate();
  };
  return (
    <main className="centre">
      <ErrorState error={error} onRetry={retry} />
    </main>
  );
}

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
        title="Nobody is on this stage"
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
