import { useId } from 'react';
import type { Role } from '../../api/types.ts';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  viewer: 'Viewer',
};

const ROLE_ABOUT: Readonly<Record<Role, string>> = {
  owner: 'Full access, including members',
  admin: 'Manages properties, keys and destinations',
  viewer: 'Reads reports',
};

interface RoleChoiceProps<T extends Role> {
  roles: readonly T[];
  value: T;
  onChoose: (role: T) => void;
}

/** The roles, each with its permissions beside it. */
export function RoleChoice<T extends Role>({ roles, value, onChoose }: RoleChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="choices choice-list">
      <legend>Role</legend>
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
