import { useId } from 'react';
import { useProperties } from '../property/useProperty.ts';

interface OneOrAllProps {
  /** The ID of a property; `''`: all of them. */
  value: string;
  onChoose: (id: string) => void;
  error: string | undefined;
}

/** What a token sees: as `AccessChoice`, but at most one property can be chosen. */
export function OneOrAll({ value, onChoose, error }: OneOrAllProps) {
  const name = useId();
  const properties = useProperties();
  const [first] = properties;
  return (
    <fieldset className="choices choice-list">
      <legend>Access</legend>
      <label className="choice" data-chosen={value === ''}>
        <input type="radio" name={name} checked={value === ''} onChange={() => onChoose('')} />
        <span>
          All properties
          <span className="way-about">Including future ones</span>
        </span>
      </label>
      {first !== undefined && (
        <label className="choice" data-chosen={value !== ''}>
          <input type="radio" name={name} checked={value !== ''} onChange={() => onChoose(first.id)} />
          <span>
            One property
            <span className="way-about">Can’t see other properties</span>
          </span>
        </label>
      )}
      {value !== '' && (
        <select
          className="input select one-property"
          aria-label="Property"
          value={value}
          onChange={({ target }) => onChoose(target.value)}
        >
          {properties.map(({ id, name: label, domain }) => (
            <option key={id} value={id}>
              {label} ({domain})
            </option>
          ))}
        </select>
      )}
      {error !== undefined && <p className="field-error">{error}</p>}
    </fieldset>
  );
}
