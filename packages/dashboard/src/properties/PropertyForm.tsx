import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { ErrorState } from '../parts/ErrorState.tsx';
import { Field } from '../parts/Field.tsx';

interface PropertyFormProps {
  initial?: { name: string; domain: string };
  submitLabel: string;
  pending: boolean;
  error: unknown;
  onSubmit: (fields: { name: string; domain: string }) => void;
}

const MAX_NAME = 100;
const MAX_DOMAIN = 300;

/** Name and domain; what the service refuses is shown at the field that it named. */
export function PropertyForm({ initial, submitLabel, pending, error, onSubmit }: PropertyFormProps) {
  const [name, setName] = useState(initial?.name ?? '');
  const [domain, setDomain] = useState(initial?.domain ?? '');
  const problem = error instanceof ApiError ? error : null;
  const atField = problem?.field('name') ?? problem?.field('domain');
  const unchanged = initial !== undefined && initial.name === name && initial.domain === domain;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ name: name.trim(), domain: domain.trim() });
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label="Name"
        required
        maxLength={MAX_NAME}
        placeholder="My shop"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={problem?.field('name')}
      />
      <Field
        label="Domain"
        required
        maxLength={MAX_DOMAIN}
        placeholder="shop.example"
        className="mono"
        autoCapitalize="none"
        spellCheck={false}
        value={domain}
        onChange={(event) => setDomain(event.target.value)}
        error={problem?.field('domain')}
        hint="Where your site lives. An address pasted from the browser is fine."
      />
      {error !== null && atField === undefined && <ErrorState error={error} />}
      <div>
        <button
          type="submit"
          className="button button-primary"
          disabled={pending || unchanged || name.trim() === '' || domain.trim() === ''}
        >
          {pending ? 'Saving…' : submitLabel}
        </button>
      </div>
    </form>
  );
}
