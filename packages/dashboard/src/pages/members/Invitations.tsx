import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AccessText } from '../../features/people/AccessChoice.tsx';
import { actorName } from '../../features/people/ActorName.tsx';
import { type Invitation, type Member, peopleApi, peopleQueries } from '../../features/people/api.ts';
import { Expiry } from '../../features/people/Expiry.tsx';
import { ROLE_NAMES } from '../../features/people/RoleChoice.tsx';
import { useWhere } from '../../features/people/search.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Initials } from '../../parts/Initials.tsx';
import { RowMenu } from '../../parts/list/RowMenu.tsx';
import { ErrorState, failed } from '../../parts/states.tsx';
import '../../parts/list/stack-table.css';

interface InvitationsProps {
  members: readonly Member[];
  onInviteAgain: (invitation: Invitation) => void;
}

/** Open invitations; empty when there are none. */
export function Invitations({ members, onInviteAgain }: InvitationsProps) {
  const where = useWhere();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { data, error, refetch } = useQuery(peopleQueries.invitations(where));
  const withdraw = useMutation({
    mutationFn: (id: string) => peopleApi.withdraw(where, id),
    onSuccess: async () => {
      await queryClient.invalidateQueries(peopleQueries.invitations(where));
      announce('Invitation revoked');
    },
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  const names = new Map(members.map(({ person_id, name }) => [`person:${person_id}`, name]));
  return (
    <section className="below" aria-label="Pending invitations">
      <h2>
        Pending invitations <span className="quiet number">{data.length}</span>
      </h2>
      {failed(withdraw) && <ErrorState error={withdraw.error} />}
      <div className="card table-card">
        <table className="table stack-table line-table invitations-table" aria-label="Pending invitations">
          <thead>
            <tr>
              <th scope="col">Email</th>
              <th scope="col">Role</th>
              <th scope="col">Access</th>
              <th scope="col">Invited by</th>
              <th scope="col">Expires</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((invitation) => {
              const { id, email, role, properties, invited_by, expires_at } = invitation;
              return (
                <tr key={id}>
                  <th scope="row">
                    <span className="person-cell">
                      <Initials name={email} of="person" />
                      <span className="break">{email}</span>
                    </span>
                  </th>
                  <td data-label="Role">{ROLE_NAMES[role]}</td>
                  <td data-label="Access">
                    <AccessText access={properties} />
                  </td>
                  <td data-label="Invited by">{actorName(invited_by, names.get(invited_by) ?? null)}</td>
                  <td data-label="Expires">
                    <Expiry value={expires_at} />
                  </td>
                  <td className="cell-action">
                    <RowMenu
                      name={email}
                      actions={[
                        // Only a digest of a link is stored: the first one can't be copied again.
                        { label: 'Replace link', onSelect: () => onInviteAgain(invitation) },
                        { label: 'Revoke', onSelect: () => withdraw.mutate(id), isBad: true },
                      ]}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
