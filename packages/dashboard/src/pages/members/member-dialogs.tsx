import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queries } from '../../api/queries.ts';
import { ROLES } from '../../api/types.ts';
import { type Member, peopleApi, peopleQueries } from '../../features/people/api.ts';
import { ROLE_NAMES, RoleChoice } from '../../features/people/RoleChoice.tsx';
import { useWhere } from '../../features/people/search.ts';
import { useSession } from '../../features/session/useSession.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { RemoveDialog } from '../../parts/ConfirmDialog.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { FormError } from '../../parts/states.tsx';

export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const where = useWhere();
  const isMe = useSession().person?.id === member.person_id;
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [role, setRole] = useState(member.role);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => peopleApi.setRole(where, member.person_id, role),
    onSuccess: async () => {
      await queryClient.invalidateQueries(peopleQueries.members(where));
      announce(`${member.name} is ${ROLE_NAMES[role].toLowerCase()} now`);
      onClose();
      if (isMe) await queryClient.invalidateQueries(queries.session());
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Dialog title={`Role of ${member.name}`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <RoleChoice roles={ROLES} value={role} onChoose={setRole} />
        {isMe && role !== member.role && (
          <p className="aside">
            This is you: only another owner can undo this. Your API tokens can do no more than you.
          </p>
        )}
        <FormError error={error} />
        <DialogActions onCancel={onClose} disabled={isPending || role === member.role}>
          {isPending ? 'One moment…' : 'Change role'}
        </DialogActions>
      </form>
    </Dialog>
  );
}

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const where = useWhere();
  const isMe = useSession().person?.id === member.person_id;
  return (
    <RemoveDialog
      title={`Remove ${member.name}?`}
      word={member.email}
      action="Remove"
      remove={() => peopleApi.removeMember(where, member.person_id)}
      // Removing yourself ends the session: reading it first leads to the sign-in page.
      outdated={[...(isMe ? [queries.session()] : []), peopleQueries.members(where)]}
      done={`Removed ${member.name}`}
      onClose={onClose}
    >
      <p>
        {isMe ? 'You lose' : 'They lose'} access to this organization. Sessions end, and API tokens that{' '}
        {isMe ? 'you' : 'they'} created stop at once.
      </p>
    </RemoveDialog>
  );
}
