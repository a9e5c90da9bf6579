import { Link } from '@tanstack/react-router';
import { EmptyState } from '../parts/EmptyState.tsx';

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
