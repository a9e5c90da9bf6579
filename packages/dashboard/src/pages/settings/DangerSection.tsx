import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { Property } from '../../api/types.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';

export function DangerSection({ property }: { property: Property }) {
  const [asking, setAsking] = useState(false);
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
    <>
      <button type="button" className="button button-bad" onClick={() => setAsking(true)}>
        Delete this property
      </button>
      {asking && (
        <ConfirmDialog
          title={`Delete ${property.name}?`}
          word={property.domain}
          action="Delete property"
          pending={isPending}
          error={error}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            Hits that name its attribution ID are rejected from now on. Export what you want to keep first.
            This can’t be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
