import { useId } from 'react';
import type { Role } from '../../api/types.ts';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  viewer: 'Viewer',
};

const ROLE_ABOUT: Readonly<Record<Role, string>> = {
  owner: 'Everything, and who else comes in',
  admin: 'Sets up properties, keys, destinations',
  viewer: 'Sees everything, changes nothing',
};

interface RoleChoiceProps<T extends Role> {
  roles: readonly T[];
  value: T;
  onChoose: (role: T) => void;
}

/** Each role with what it may do: nobody should have to look that up to invite somebody. */
export function RoleChoice<T extends Role>({ roles, value, onChoose }: RoleChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="choices role-choices">
      <legend>May</legend>
      {roles.map((role) => (
        <label key={role} className="choice" data-chosen={role === value}>
          <input type="radio" name={name} checked={role === value} onChange={() => onChoose(role)} />
          <span>
            {ROLE_NAMES[role]}
            <span className="way-about">{ROLE_ABOUT[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
