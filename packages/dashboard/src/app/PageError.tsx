import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { ErrorState } from '../parts/ErrorState.tsx';
import { PagePending } from './PagePending.tsx';

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  // The way to the sign-in page has already begun (App.tsx).
  if (error instanceof ApiError && error.status === 401) return <PagePending />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <main className="centre">
      <ErrorState error={error} onRetry={retry} />
    </main>
  );
}
