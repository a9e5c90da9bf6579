import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { ROLES, type Role } from '../../api/types.ts';
import { AccessChoice } from '../../features/people/AccessChoice.tsx';
import {
  type Access,
  type Invitation,
  type Invited,
  peopleApi,
  peopleQueries,
} from '../../features/people/api.ts';
import { RoleChoice } from '../../features/people/RoleChoice.tsx';
import { useWhere } from '../../features/people/search.ts';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Field } from '../../parts/Field.tsx';
import { SecretField } from '../../parts/SecretField.tsx';
import { FormError } from '../../parts/states.tsx';

interface InviteDialogProps {
  /** An invitation to renew; absent: a new one. */
  again?: Invitation;
  /** Chosen at the beginning; the first member has to be an owner. */
  as?: Role;
  onClose: () => void;
}

/** Two screens: email, role and properties, then the link, or a note that it was mailed. */
export function InviteDialog({ again, as = 'viewer', onClose }: InviteDialogProps) {
  const where = useWhere();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState(again?.email ?? '');
  const [role, setRole] = useState<Role>(again?.role ?? as);
  const [access, setAccess] = useState<Access>(again?.properties ?? null);
  const { hint, action } = useHowInvited();
  const isUndecided = role === 'viewer' && access?.length === 0;
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () =>
      peopleApi.invite(where, {
        ...{ email: email.trim(), role },
        properties: role === 'viewer' ? access : null,
      }),
    onSuccess: () => queryClient.invalidateQueries(peopleQueries.invitations(where)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  if (data !== undefined) {
    return (
      <Dialog key="invited" title={`${data.email} is invited`} onClose={onClose}>
        <InvitedNotice invited={data} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      key="invite"
      title={again === undefined ? 'Invite a member' : 'Replace the link'}
      onClose={onClose}
    >
      <form className="form" onSubmit={submit}>
        <Field
          label="Email"
          type="email"
          autoComplete="off"
          autoFocus={again === undefined}
          readOnly={again !== undefined}
          required
          placeholder="ada@shop.example"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={error instanceof ApiError ? error.field('email') : undefined}
          hint={again === undefined ? hint : `${hint} The earlier link stops working.`}
        />
        <RoleChoice roles={ROLES.toReversed()} value={role} onChoose={setRole} />
        {role === 'viewer' && <AccessChoice value={access} onChoose={setAccess} />}
        <FormError error={error} />
        <DialogActions onCancel={onClose} disabled={isPending || email.trim() === '' || isUndecided}>
          {isPending ? 'One moment…' : action}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** How the link gets to them; both ways, where the service doesn't say whether it sends mail. */
function useHowInvited(): { hint: string; action: string } {
  const { mail, passwords } = useQuery(queries.signInOptions()).data ?? {};
  if (mail === true)
    return { hint: 'They’ll get a link by email. It works for 7 days.', action: 'Send invitation' };
  // Without passwords no mail resets one, so that says nothing of mail.
  if (passwords === true)
    return {
      hint: 'This installation sends no email. You’ll get a link to pass on. It works for 7 days.',
      action: 'Create invite link',
    };
  return {
    hint: 'They’ll get a link by email. If this installation sends none, you’ll get the link to pass on. It works for 7 days.',
    action: 'Invite',
  };
}

function InvitedNotice({ invited: { email, link }, onDone }: { invited: Invited; onDone: () => void }) {
  return (
    <div className="form">
      {link === null ? (
        <p>A link was mailed to {email}. It works once, for 7 days.</p>
      ) : (
        <>
          <p>
            No mail was sent. Send them this link over a private channel. It works once, for 7 days, and{' '}
            <strong>can’t be shown again</strong>.
          </p>
          <SecretField value={link} label="Invitation link" what="the link" rows={3} />
        </>
      )}
      <div className="dialog-actions">
        <button type="button" className="button button-primary" onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}
