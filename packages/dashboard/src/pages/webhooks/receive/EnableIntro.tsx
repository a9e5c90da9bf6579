import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { useSettings, webhooksQueries } from '../../../features/webhooks/api.ts';
import { counted } from '../../../format/names.ts';
import { EmptyState, ErrorState } from '../../../parts/states.tsx';

/** The page before receiving is enabled: what it does. */
export function EnableIntro({ property }: { property: Property }) {
  const { mutate, isPending, error } = useSettings(property.id, 'Receiving is enabled');
  const kept = useQuery(webhooksQueries.keys(property.id)).data?.filter((key) => key.revoked_at === null);
  return (
    <>
      <EmptyState
        title="Match conversions to the visits that led to them"
        action={
          <RequirePermission>
            <button
              type="button"
              className="button button-primary"
              disabled={isPending}
              onClick={() => mutate({ enabled: true })}
            >
              {isPending ? 'Enabling…' : 'Enable receiving'}
            </button>
          </RequirePermission>
        }
      >
        Enabling opens an endpoint for {property.domain} to which your server posts purchases, leads and
        sign-ups, with a key that you create here. Until then, it answers 404.
      </EmptyState>
      {error !== null && <ErrorState error={error} />}
      {kept !== undefined && kept.length > 0 && (
        <p className="aside intro-note">{counted(kept.length, 'key', 'keys')} from before will work again.</p>
      )}
      <p className="aside intro-note">
        A match needs the browser script on your pages:{' '}
        <Link to="/p/$propertyId/sdk" params={{ propertyId: property.id }}>
          set it up
        </Link>{' '}
        first, or right after.
      </p>
    </>
  );
}
