import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { LogSource, Property, Provider } from '../../api/types.ts';
import { Dialog } from '../../parts/Dialog.tsx';
import { useSources } from '../../parts/useSources.ts';
import { useHeldKeys } from './HeldKeys.tsx';
import { IssuedKeyNotice } from './IssuedKeyNotice.tsx';
import { IssueKeyForm, type KeyFields } from './IssueKeyForm.tsx';

interface IssueKeyDialogProps {
  /** The property whose page is open: the default property offered, and whose commands the key fills. */
  property: Property;
  /** The log source that the key is for; the first where none is named. */
  provider?: Provider;
  onClose: () => void;
}

/** Two screens: the form, then the key, which stays until its reader says that it is stored. */
export function IssueKeyDialog({ property, provider, onClose }: IssueKeyDialogProps) {
  const queryClient = useQueryClient();
  const { hold } = useHeldKeys();
  // There always is one.
  const [first] = useSources() as readonly [LogSource];
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
        provider={provider ?? first.name}
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
