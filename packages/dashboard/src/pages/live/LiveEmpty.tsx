import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../parts/states.tsx';

export function LiveEmpty({ propertyId, filtered }: { propertyId: string; filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        title="No visit passes these filters"
        action={
          <Link to="." search={{}} className="button">
            Clear filters
          </Link>
        }
      >
        Visits do arrive; none of the last 30 minutes is like this.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="The stage is empty"
      action={
        <Link to="/p/$propertyId/setup" params={{ propertyId }} className="button button-primary">
          Open Set-up
        </Link>
      }
    >
      Nothing arrived in the last 30 minutes. Set-up tells how to bring your traffic here, posts a test visit,
      and says what was refused and why.
    </EmptyState>
  );
}
