import { useId } from 'react';
import type { Property } from '../../api/types.ts';
import { useProperties } from '../property/useProperty.ts';
import type { Access, PropertyRole } from './api.ts';

const ROLE_WORDS: Readonly<Record<PropertyRole, string>> = {
  viewer: 'can view',
  editor: 'can view and change',
};

interface AccessChoiceProps {
  /** null: all properties. */
  value: Access;
  onChoose: (access: Access) => void;
}

/** Beside the role viewer: all properties, or chosen ones with a role in each. */
export function AccessChoice({ value, onChoose }: AccessChoiceProps) {
  const name = useId();
  const properties = useProperties();
  const roleIn = (id: string) => value?.find(({ attribution_id }) => attribution_id === id)?.role;
  const choose = (id: string, role: PropertyRole | null) => {
    const others = (value ?? []).filter(({ attribution_id }) => attribution_id !== id);
    onChoose(role === null ? others : [...others, { attribution_id: id, role }]);
  };
  return (
    <fieldset className="choices choice-list">
      <legend>Access</legend>
      <label className="choice" data-chosen={value === null}>
        <input type="radio" name={name} checked={value === null} onChange={() => onChoose(null)} />
        <span>
          All properties
          <span className="way-about">Including future ones</span>
        </span>
      </label>
      <label className="choice" data-chosen={value !== null}>
        <input type="radio" name={name} checked={value !== null} onChange={() => onChoose(value ?? [])} />
        <span>
          Selected properties
          <span className="way-about">Can’t see other properties</span>
        </span>
      </label>
      {value !== null && (
        <ul className="access-list">
          {properties.map((property) => (
            <PropertyLine
              key={property.id}
              property={property}
              role={roleIn(property.id)}
              onChoose={(role) => choose(property.id, role)}
            />
          ))}
        </ul>
      )}
    </fieldset>
  );
}

interface PropertyLineProps {
  property: Property;
  role: PropertyRole | undefined;
  onChoose: (role: PropertyRole | null) => void;
}

function PropertyLine({ property: { name, domain }, role, onChoose }: PropertyLineProps) {
  return (
    <li>
      <label className="check">
        <input
          type="checkbox"
          checked={role !== undefined}
          onChange={({ target }) => onChoose(target.checked ? 'viewer' : null)}
        />
        <span>
          {name} <span className="quiet">{domain}</span>
        </span>
      </label>
      {role !== undefined && (
        <select
          className="input select"
          aria-label={`Access to ${name}`}
          value={role}
          onChange={({ target }) => onChoose(target.value === 'editor' ? 'editor' : 'viewer')}
        >
          <option value="viewer">{ROLE_WORDS.viewer}</option>
          <option value="editor">{ROLE_WORDS.editor}</option>
        </select>
      )}
    </li>
  );
}

/** What a member sees, in words. */
export function AccessText({ access }: { access: Access }) {
  const properties = useProperties();
  if (access === null) return 'All properties';
  if (access.length === 0) return 'No property';
  return (
    <ul className="access-words">
      {access.map(({ attribution_id: id, role }) => (
        <li key={id}>
          {properties.find((property) => property.id === id)?.name ?? 'A deleted property'}{' '}
          <span className="quiet">{ROLE_WORDS[role]}</span>
        </li>
      ))}
    </ul>
  );
}
