import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { Property, Provider } from '../../api/types.ts';
import { ErrorState } from '../../parts/ErrorState.tsx';
import { Field } from '../../parts/Field.tsx';
import { useSources } from '../../parts/useSources.ts';
import { useProperties } from '../property/useProperty.ts';

export interface KeyFields {
  name: string;
  provider: Provider;
  /** Null: the key has no default property. */
  propertyId: string | null;
}

interface IssueKeyFormProps {
  property: Property;
  provider: Provider;
  pending: boolean;
  error: unknown;
  onSubmit: (fields: KeyFields) => void;
  onCancel: () => void;
}

const MAX_NAME = 100;

export function IssueKeyForm({ property, provider, pending, error, onSubmit, onCancel }: IssueKeyFormProps) {
  const properties = useProperties();
  const sources = useSources();
  const selectId = useId();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(provider);
  const [propertyId, setPropertyId] = useState(property.id);
  const problem = error instanceof ApiError ? error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ name: name.trim(), provider: chosen, propertyId: propertyId === '' ? null : propertyId });
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label="Name"
        required
        autoFocus
        maxLength={MAX_NAME}
        placeholder="Production collector"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={problem?.field('name')}
      />
      <fieldset className="choices">
        <legend>For</legend>
        {sources.map(({ name: value, title: label, key_hint: about }) => (
          <label key={value} className="choice" data-chosen={chosen === value}>
            <input
              type="radio"
              name="provider"
              checked={chosen === value}
              onChange={() => setChosen(value)}
            />
            <span>
              {label}
              <span className="way-about">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor={selectId}>Default property</label>
        <select
          id={selectId}
          className="input select"
          value={propertyId}
          onChange={(event) => setPropertyId(event.target.value)}
        >
          <option value="">None: every hit names its own</option>
          {properties.map(({ id, name: label, domain }) => (
            <option key={id} value={id}>
              {label} ({domain})
            </option>
          ))}
        </select>
        <p className="field-hint">Where hits belong that carry no attribution ID.</p>
      </div>
      {error !== null && problem?.field('name') === undefined && <ErrorState error={error} />}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="button button-primary" disabled={pending || name.trim() === ''}>
          {pending ? 'Issuing…' : 'Issue key'}
        </button>
      </div>
    </form>
  );
}
