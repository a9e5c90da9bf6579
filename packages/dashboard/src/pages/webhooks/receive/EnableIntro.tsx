import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { ForWhoMay } from '../../../features/session/ForWhoMay.tsx';
import { useSettings, webhooksQueries } from '../../../features/webhooks/api.ts';
import { counted } from '../../../format/names.ts';
import { EmptyState, ErrorState } from '../../../parts/states.tsx';

/** Before anything is received: what enabling does, in plain words. */
export function EnableIntro({ property }: { property: Property }) {
  const { mutate, isPending, error } = useSettings(property.id, 'Receiving is enabled');
  const kept = useQuery(webhooksQueries.keys(property.id)).data?.filter((key) => key.revoked_at === null);
  return (
    <>
      <EmptyState
        title="Carry conversions back to the visit that earned them"
        action={
          <ForWhoMay>
            <button
              type="button"
              className="button button-primary"
              disabled={isPending}
              onClick={() => mutate({ enabled: true })}
            >
              {isPending ? 'Enabling…' : 'Enable receiving'}
            </button>
          </ForWhoMay>
        }
      >
        Enabling opens an address for {property.domain} at which your server posts purchases, leads and
        sign-ups, with a key that you issue here. Until then, whatever is posted there is answered 404.
      </EmptyState>
      {error !== null && <ErrorState error={error} />}
      {kept !== undefined && kept.length > 0 && (
        <p className="aside intro-note">
          {counted(kept.length, 'key is', 'keys are')} kept from before and will work again.
        </p>
      )}
      <p className="aside intro-note">
        A match needs the browser SDK on your pages:{' '}
        <Link to="/p/$propertyId/sdk" params={{ propertyId: property.id }}>
          set it up
        </Link>{' '}
        first, or right after.
      </p>
    </>
  );
}
