import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Switch } from '../../parts/Switch.tsx';
import { ErrorState } from '../../parts/states.tsx';
import '../../styles/workspace.css';

/** Whether search crawlers are stored. It takes effect at the service at once; a collector must be told as well. */
export function SearchEnginesSection({ property }: { property: Property }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (search_engines: boolean) => api.updateProperty(property.id, { search_engines }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(queries.properties());
      announce('Saved');
    },
  });
  return (
    <>
      <Switch
        label="Store visits of search crawlers"
        hint={
          <>
            Googlebot, Bingbot and others appear in Live and in exports; no AI figure counts them. Log push
            needs nothing else; a collector forwards all of them once its SERVICE_BOTLIST_URL is the one that{' '}
            <Link to="/p/$propertyId/setup" params={{ propertyId: property.id }}>
              Set-up
            </Link>{' '}
            shows, and samples them until then.
          </>
        }
        on={isPending ? variables : property.search_engines}
        onSwitch={(on) => mutate(on)}
      />
      {error !== null && <ErrorState error={error} onRetry={() => mutate(!property.search_engines)} />}
    </>
  );
}
