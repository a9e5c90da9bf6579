import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';
import { destinationsQueries } from '../../features/destinations/api.ts';
import { counted } from '../../format/names.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';

export function DeleteProperty({ property }: { property: Property }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" className="button button-bad" onClick={() => setAsking(true)}>
        Delete<span className="visually-hidden"> this property</span>
      </button>
      {asking && <DeleteDialog property={property} onClose={() => setAsking(false)} />}
    </>
  );
}

function DeleteDialog({ property, onClose }: { property: Property; onClose: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.deleteProperty(property.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ ...queries.properties(), refetchType: 'none' });
      await queryClient.fetchQuery({ ...queries.properties(), staleTime: 0 });
      await navigate({ to: '/' });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete “${property.name}”?`}
      word={property.domain}
      action="Delete property"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <Lost property={property} />
    </ConfirmDialog>
  );
}

/** What goes with the property; what was set up by hand is counted. */
function Lost({ property: { id } }: { property: Property }) {
  const keys = useQuery(queries.keys()).data?.filter(
    ({ attribution_id, revoked_at }) => attribution_id === id && revoked_at === null,
  ).length;
  // Once is enough: it is deleted next.
  const destinations = useQuery({ ...destinationsQueries.list(id), refetchInterval: false }).data?.length;
  return (
    <div className="lost">
      <p>This deletes:</p>
      <ul>
        <li>all visits, visitors and reports</li>
        <li>all conversions and deliveries</li>
        <li>
          {destinations === undefined ? 'all destinations' : counted(destinations, 'destination')}, and the
          signed manifests
        </li>
        <li>
          {keys === undefined ? 'all ingest keys' : counted(keys, 'ingest key')} and all webhook keys, which
          stop working at once
        </li>
      </ul>
      <p>
        <Link to="/organization">Export what you want to keep</Link> first.{' '}
        <strong>This can’t be undone.</strong>
      </p>
    </div>
  );
}
