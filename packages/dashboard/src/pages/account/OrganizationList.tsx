import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Account, accountApi, accountQuery } from '../../features/account/api.ts';
import { peopleQueries } from '../../features/people/api.ts';
import { ROLE_NAMES } from '../../features/people/RoleChoice.tsx';
import { forgetSession, useEnter } from '../../features/session/useSession.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { DangerRow, DangerZone } from '../../parts/DangerZone.tsx';
import { ErrorState, failed } from '../../parts/states.tsx';
import '../../parts/list/stack-table.css';

type Membership = Account['organizations'][number];

export function OrganizationList({ account }: { account: Account }) {
  const enter = useEnter();
  const isOnlyOwner = useOnlyOwner(account);
  const move = useMutation({
    mutationFn: accountApi.moveTo,
    onSuccess: (session) => enter(session, '/account'),
  });
  return (
    <>
      <ul className="rows" aria-label="Organizations">
        {account.organizations.map((one) => {
          const here = one.id === account.organization.id;
          return (
            <li key={one.id}>
              <div>
                <p className="row-name">
                  {one.name}
                  {here && <span className="tag">current</span>}
                </p>
                <p className="quiet">
                  {ROLE_NAMES[one.role]}
                  {here && isOnlyOwner === true && '. To leave, make another member an owner first.'}
                </p>
              </div>
              <div className="panel-actions">
                {!here && (
                  <button
                    type="button"
                    className="button button-small"
                    aria-label={`Switch to ${one.name}`}
                    disabled={move.isPending}
                    onClick={() => move.mutate(one.id)}
                  >
                    Switch
                  </button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {failed(move) && <ErrorState error={move.error} />}
    </>
  );
}

/**
 * Whether the account is the last owner of the open organization; null: not known yet. The owners of other organizations are not known
 * here; the service checks.
 */
function useOnlyOwner({ role }: Account): boolean | null {
  const { data = [], isPending } = useQuery(peopleQueries.members(undefined));
  if (role !== 'owner') return false;
  return isPending ? null : data.filter((member) => member.role === 'owner').length === 1;
}

/** The organizations that can be left; without any, nothing. */
export function LeaveZone({ account }: { account: Account }) {
  const [leaving, setLeaving] = useState<Membership | null>(null);
  const isOnlyOwner = useOnlyOwner(account);
  const isOpen = ({ id }: Membership) => id === account.organization.id;
  const left = account.organizations.filter((one) => isOnlyOwner === false || !isOpen(one));
  if (left.length === 0) return null;
  return (
    <DangerZone>
      {left.map((one) => (
        <DangerRow
          key={one.id}
          title={`Leave ${one.name}`}
          about="You lose access, and the API tokens that you created stop working at once. Only an owner can invite you again."
        >
          <button
            type="button"
            className="button button-bad"
            aria-label={`Leave ${one.name}`}
            onClick={() => setLeaving(one)}
          >
            Leave
          </button>
          {leaving?.id === one.id && (
            <LeaveDialog organization={one} isOpen={isOpen(one)} onClose={() => setLeaving(null)} />
          )}
        </DangerRow>
      ))}
    </DangerZone>
  );
}

interface LeaveDialogProps {
  organization: Membership;
  /** The organization of this session, which ends with it. */
  isOpen: boolean;
  onClose: () => void;
}

function LeaveDialog({ organization, isOpen, onClose }: LeaveDialogProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => accountApi.leave(organization.id),
    onSuccess: async () => {
      announce(`You left ${organization.name}`);
      if (!isOpen) {
        await queryClient.invalidateQueries(accountQuery());
        onClose();
        return;
      }
      await navigate({ to: '/sign-in' });
      forgetSession(queryClient);
    },
  });
  return (
    <ConfirmDialog
      title={`Leave ${organization.name}?`}
      word={organization.name}
      action="Leave"
      pending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        You lose access, and your API tokens stop working at once. Only an owner can invite you again.
        {isOpen && ' You will be signed out.'}
      </p>
    </ConfirmDialog>
  );
}
