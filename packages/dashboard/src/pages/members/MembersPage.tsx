import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useAsked } from '../../features/page/useAsked.ts';
import { type Invitation, type Member, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { useMay, useSession } from '../../features/session/useSession.ts';
import { IconPlus } from '../../parts/icons.tsx';
import { EmptyState, ErrorState, failed, Skeleton } from '../../parts/states.tsx';
import { Invitations } from './Invitations.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { MemberTable } from './MemberTable.tsx';
import { RemoveMemberDialog, RoleDialog } from './member-dialogs.tsx';

/** `null`: closed; `new`, `owner`: a new invitation; an invitation: a new link for it. */
type Inviting = Invitation | 'new' | 'owner' | null;

const ABOUT = {
  managed: 'Who can sign in, and what they can see.',
  all: 'Who can sign in, and what they can see. Owners manage them.',
  limited: 'Members who see one of your properties. Owners manage them.',
};

export function MembersPage() {
  const where = useWhere();
  const mayManage = useMay('people');
  const limited = useSession().properties !== null;
  const members = useQuery(peopleQueries.members(where));
  const [inviting, setInviting] = useState<Inviting>(null);
  const [changing, setChanging] = useState<Member | null>(null);
  useAsked('invite', () => {
    if (mayManage) setInviting('new');
  });
  useAsked('owner', () => {
    if (mayManage) setInviting('owner');
  });
  const [removing, setRemoving] = useState<Member | null>(null);
  const inviteButton = (
    <button type="button" className="button button-primary head-action" onClick={() => setInviting('new')}>
      <IconPlus />
      Invite
    </button>
  );
  return (
    <>
      <PageHead
        title="Members"
        about={
          members.data?.length === 0 ? undefined : ABOUT[mayManage ? 'managed' : limited ? 'limited' : 'all']
        }
      >
        {mayManage && members.data !== undefined && members.data.length > 0 && inviteButton}
      </PageHead>
      {members.isPending && <Skeleton lines={5} label="Loading members" />}
      {failed(members) && <ErrorState error={members.error} onRetry={() => void members.refetch()} />}
      {members.data?.length === 0 && (
        <EmptyState
          title="No members yet"
          {...(mayManage
            ? {
                action: (
                  <button
                    type="button"
                    className="button button-primary"
                    onClick={() => setInviting('owner')}
                  >
                    <IconPlus />
                    Invite an owner
                  </button>
                ),
              }
            : {})}
        >
          You’re signed in with the admin token. Invite yourself as an owner: you’ll get a link to open. Then
          keep the token for emergencies.
        </EmptyState>
      )}
      {members.data !== undefined && members.data.length > 0 && (
        <MemberTable members={members.data} onChange={setChanging} onRemove={setRemoving} />
      )}
      {mayManage && <Invitations members={members.data ?? []} onInviteAgain={setInviting} />}
      {inviting !== null && (
        <InviteDialog
          {...(inviting === 'new' ? {} : inviting === 'owner' ? { as: 'owner' } : { again: inviting })}
          onClose={() => setInviting(null)}
        />
      )}
      {changing !== null && <RoleDialog member={changing} onClose={() => setChanging(null)} />}
      {removing !== null && <RemoveMemberDialog member={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}
