import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queries } from '../../api/queries.ts';
import { ROLES } from '../../api/types.ts';
import { AccessChoice } from '../../features/people/AccessChoice.tsx';
import { type Access, type Member, peopleApi, peopleQueries } from '../../features/people/api.ts';
import { RoleChoice } from '../../features/people/RoleChoice.tsx';
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
  const [chosen, setChosen] = useState(member.properties);
  const access = role === 'viewer' ? chosen : null;
  const isSame = role === member.role && wordsOf(access) === wordsOf(member.properties);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => peopleApi.changeMember(where, member.person_id, { role, properties: access }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(peopleQueries.members(where));
      announce(`Changed the access of ${member.name}`);
      onClose();
      if (isMe) await queryClient.invalidateQueries(queries.session());
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Dialog title={`Access of ${member.name}`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <RoleChoice roles={ROLES.toReversed()} value={role} onChoose={setRole} />
        {role === 'viewer' && <AccessChoice value={chosen} onChoose={setChosen} />}
        {isMe && role !== member.role && (
          <p className="aside">
            This is you: only another owner can undo this. Your API tokens can do no more than you.
          </p>
        )}
        {member.by_groups && (
          <p className="aside">The groups of your company’s provider set this again at the next sign-in.</p>
        )}
        <FormError error={error} />
        <DialogActions onCancel={onClose} disabled={isPending || isSame}>
          {isPending ? 'One moment…' : 'Change access'}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The same for the same access, in whatever order it was chosen. */
function wordsOf(access: Access): string {
  return access === null
    ? 'all'
    : access
        .map(({ attribution_id: id, role }) => `${id} ${role}`)
        .sort()
        .join();
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
