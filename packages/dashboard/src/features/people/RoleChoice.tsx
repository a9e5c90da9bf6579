import { useId } from 'react';
import type { Role } from '../../api/types.ts';
import { ROLE_ABOUT, ROLE_NAMES } from './roles.ts';

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
