import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { Property, Provider } from '../../api/types.ts';
import { Dialog } from '../../parts/Dialog.tsx';
import { useHeldKeys } from './HeldKeys.tsx';
import { IssuedKeyNotice } from './IssuedKeyNotice.tsx';
import { IssueKeyForm, type KeyFields } from './IssueKeyForm.tsx';

interface IssueKeyDialogProps {
  /** The property whose page is open: the default property offered, and whose commands the key fills. */
  property: Property;
  provider?: Provider;
  onClose: () => void;
}

/** Two screens: the form, then the key, which stays until its reader says that it is stored. */
export function IssueKeyDialog({ property, provider = 'edge_worker', onClose }: IssueKeyDialogProps) {
  const queryClient = useQueryClient();
  const { hold } = useHeldKeys();
  const [issued, setIssued] = useState<string | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: KeyFields) =>
      api.issueKey({
        name: fields.name,
        provider: fields.provider,
        ...(fields.propertyId === null ? {} : { attribution_id: fields.propertyId }),
      }),
    onSuccess: ({ key }) => {
      setIssued(key);
      // Any key of the organization serves the open property: its commands name the attribution ID themselves.
      hold(property.id, key);
      void queryClient.invalidateQueries(queries.keys());
    },
  });
  return issued === null ? (
    <Dialog title="Issue an ingest key" onClose={onClose}>
      <IssueKeyForm
        property={property}
        provider={provider}
        pending={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
        onCancel={onClose}
      />
    </Dialog>
  ) : (
    <Dialog key="issued" title="Your ingest key" onClose={onClose} dismissible={false}>
      <IssuedKeyNotice value={issued} onDone={onClose} />
    </Dialog>
  );
}
