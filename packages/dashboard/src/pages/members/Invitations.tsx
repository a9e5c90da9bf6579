import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AccessText } from '../../features/people/AccessChoice.tsx';
import { actorName } from '../../features/people/ActorName.tsx';
import { type Invitation, type Member, peopleApi, peopleQueries } from '../../features/people/api.ts';
import { ROLE_NAMES } from '../../features/people/RoleChoice.tsx';
import { useWhere } from '../../features/people/search.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { RowMenu } from '../../parts/list/RowMenu.tsx';
import { ErrorState, failed } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
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
      announce('Invitation withdrawn');
    },
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  const names = new Map(members.map(({ person_id, name }) => [`person:${person_id}`, name]));
  return (
    <section className="below" aria-label="Open invitations">
      <h2>Open invitations</h2>
      {failed(withdraw) && <ErrorState error={withdraw.error} />}
      <div className="card table-card">
        <table className="table stack-table invitations-table" aria-label="Open invitations">
          <thead>
            <tr>
              <th scope="col">E-mail</th>
              <th scope="col">Role</th>
              <th scope="col">Will see</th>
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
                  <th scope="row" className="break">
                    {email}
                  </th>
                  <td data-label="Role">{ROLE_NAMES[role]}</td>
                  <td data-label="Will see">
                    <AccessText access={properties} />
                  </td>
                  <td data-label="Invited by">{actorName(invited_by, names.get(invited_by) ?? null)}</td>
                  <td data-label="Expires">
                    <Time value={expires_at} form="short" />
                  </td>
                  <td className="cell-action">
                    <RowMenu
                      name={email}
                      actions={[
                        { label: 'New link', onSelect: () => onInviteAgain(invitation) },
                        { label: 'Withdraw', onSelect: () => withdraw.mutate(id), isBad: true },
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
