import { useMutation, useQueryClient } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { type Member, peopleApi, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { useSession } from '../../features/session/useSession.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const where = useWhere();
  const isMe = useSession().person?.id === member.person_id;
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => peopleApi.removeMember(where, member.person_id),
    onSuccess: async () => {
      // Who removes themselves is signed out by it: that answer leads to the sign-in page.
      if (isMe) await queryClient.invalidateQueries(queries.session());
      await queryClient.invalidateQueries(peopleQueries.members(where));
      announce(`Removed ${member.name}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      word={member.email}
      action="Remove"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        {isMe ? 'You see' : 'They see'} nothing of this organization any more. Sessions here end, and API
        tokens that {isMe ? 'you' : 'they'} made stop at once.
      </p>
    </ConfirmDialog>
  );
}
