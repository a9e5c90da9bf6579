import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiToken, peopleApi, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';

export function RevokeTokenDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const where = useWhere();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => peopleApi.revokeToken(where, token.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries(peopleQueries.tokens(where));
      announce(`Revoked ${token.name}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${token.name}”?`}
      word={token.name}
      action="Revoke token"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        Whatever uses <code>{token.prefix}…</code> is answered 401 within seconds. This can’t be undone.
      </p>
    </ConfirmDialog>
  );
}
