import { Link } from '@tanstack/react-router';
import { AccessText } from '../../features/people/AccessChoice.tsx';
import type { Member } from '../../features/people/api.ts';
import { ROLE_NAMES } from '../../features/people/RoleChoice.tsx';
import { useMay, useSession } from '../../features/session/useSession.ts';
import { Initials } from '../../parts/Initials.tsx';
import { IconWarning } from '../../parts/icons.tsx';
import { RowMenu } from '../../parts/list/RowMenu.tsx';
import { Mark } from '../../parts/Sign.tsx';
import { Time } from '../../parts/Time.tsx';
import '../../parts/list/stack-table.css';

interface MemberTableProps {
  members: readonly Member[];
  onChange: (member: Member) => void;
  onRemove: (member: Member) => void;
}

const LAST_OWNER = 'The only owner can’t leave: make another member an owner first.';

export function MemberTable({ members, onChange, onRemove }: MemberTableProps) {
  const me = useSession().person?.id;
  const mayManage = useMay('people');
  const isMine = ({ person_id: id }: Member) => id === me;
  const ownFirst = [...members.filter(isMine), ...members.filter((member) => !isMine(member))];
  const owners = members.filter(({ role }) => role === 'owner').length;
  return (
    <>
      <div className="card table-card">
        <table className="table stack-table members-table" aria-label="Members">
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">Role</th>
              <th scope="col">Access</th>
              <th scope="col">Two-factor</th>
              <th scope="col">Joined</th>
              {mayManage && (
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {ownFirst.map((member) => {
              const isLastOwner = member.role === 'owner' && owners === 1;
              return (
                <tr key={member.person_id}>
                  <th scope="row">
                    <span className="person-cell">
                      <Initials name={member.name} of="person" />
                      <span>
                        <span className="row-name">
                          {member.name}
                          {member.person_id === me && <span className="tag">you</span>}
                        </span>
                        <span className="cell-below">{member.email}</span>
                      </span>
                    </span>
                  </th>
                  <td data-label="Role">
                    {ROLE_NAMES[member.role]}
                    {member.by_groups && (
                      <span
                        className="tag"
                        title="The groups of your company’s provider set this at each sign-in."
                      >
                        by groups
                      </span>
                    )}
                  </td>
                  <td data-label="Access">
                    <AccessText access={member.properties} />
                  </td>
                  <td data-label="Two-factor">
                    <TwoFactor
                      isOn={member.totp}
                      isMine={member.person_id === me}
                      // They can change things.
                      isWanted={member.role !== 'viewer'}
                    />
                  </td>
                  <td data-label="Joined">
                    <Time value={member.joined_at} form="day" />
                  </td>
                  {mayManage && (
                    <td className="cell-action">
                      {!isLastOwner && (
                        <RowMenu
                          name={member.name}
                          actions={[
                            { label: 'Change access', onSelect: () => onChange(member) },
                            { label: 'Remove', onSelect: () => onRemove(member), isBad: true },
                          ]}
                        />
                      )}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {mayManage && owners === 1 && <p className="field-hint members-note">{LAST_OWNER}</p>}
    </>
  );
}

interface TwoFactorProps {
  isOn: boolean;
  isMine: boolean;
  /** Without it, the account is a risk. */
  isWanted: boolean;
}

function TwoFactor({ isOn, isMine, isWanted }: TwoFactorProps) {
  if (isOn) return <Mark tone="good" title="On" />;
  return (
    <span className="factor-off">
      {isWanted ? (
        <span className="factor-risk">
          <IconWarning />
          Off
        </span>
      ) : (
        'Off'
      )}
      {isMine && <Link to="/account">Set up</Link>}
    </span>
  );
}
