import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { ErrorState } from '../parts/ErrorState.tsx';
import { NOT_LOADED } from './lazy-page.ts';
import { PagePending } from './PagePending.tsx';

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
