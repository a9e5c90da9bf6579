import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { Property, PropertyFields } from '../../api/types.ts';
import { PropertyForm } from '../../features/property/PropertyForm.tsx';
import { dayLabel } from '../../format/time.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Switch } from '../../parts/Switch.tsx';
import { ErrorState } from '../../parts/states.tsx';
import '../../styles/workspace.css';

const LOOK_AGAIN_MS = 3_000;

export function PropertySection({ property }: { property: Property }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: PropertyFields) => api.updateProperty(property.id, fields),
    onSuccess: async () => {
      await queryClient.invalidateQueries(queries.properties());
      announce('Saved');
    },
  });
  const isCounting = property.recount !== null;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => void queryClient.invalidateQueries(queries.properties()), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isCounting, queryClient]);
  return (
    <>
      <PropertyForm
        key={`${property.name} ${property.domain} ${property.time_zone}`}
        initial={property}
        submitLabel="Save"
        pending={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
      />
      {property.recount !== null && (
        <p className="field-hint" role="status">
          {`Recounting days in ${property.time_zone}: ${property.recount.counted} of ${property.recount.days}. Reports stay correct, but are slower meanwhile.`}
        </p>
      )}
      {property.time_zone_since !== null && (
        <p className="field-hint">
          {`Days from ${dayLabel(property.time_zone_since)} on are in ${property.time_zone}. Earlier days keep their former zone, because their single visits are no longer stored.`}
        </p>
      )}
    </>
  );
}

/** Whether search crawlers are stored. The service applies it at once; the collector needs its own setting. */
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
            Shown in Live and exports, never counted as AI traffic. Takes effect at once, for collectors that
            load the bot list.{' '}
            <Link to="/p/$propertyId/setup" params={{ propertyId: property.id }}>
              Set that up
            </Link>
          </>
        }
        on={isPending ? variables : property.search_engines}
        onSwitch={(on) => mutate(on)}
      />
      {error !== null && <ErrorState error={error} onRetry={() => mutate(!property.search_engines)} />}
    </>
  );
}
