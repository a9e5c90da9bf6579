import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IssuedKeyNotice } from '../../features/keys/IssuedKeyNotice.tsx';
import { type NewToken, peopleApi, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { Dialog } from '../../parts/Dialog.tsx';
import { IssueTokenForm } from './IssueTokenForm.tsx';

/** Two screens: the form, then the token, which stays until its reader says that it is stored. */
export function IssueTokenDialog({ onClose }: { onClose: () => void }) {
  const where = useWhere();
  const queryClient = useQueryClient();
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: (fields: NewToken) => peopleApi.issueToken(where, fields),
    onSuccess: () => queryClient.invalidateQueries(peopleQueries.tokens(where)),
  });
  return data === undefined ? (
    <Dialog key="form" title="New API token" onClose={onClose}>
      <IssueTokenForm
        pending={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
        onCancel={onClose}
      />
    </Dialog>
  ) : (
    <Dialog key="issued" title="Your API token" onClose={onClose} dismissible={false}>
      <IssuedKeyNotice label="API token" what="the token" value={data.token} onDone={onClose} />
    </Dialog>
  );
}
