import { type FormEvent, useRef, useState } from 'react';
import { useChange } from '../../../features/destinations/useChange.ts';
import { Mark } from '../../../parts/Sign.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { SchemaControl } from '../form/SchemaControl.tsx';
import { useFirstMistake, useSchemaForm } from '../form/useSchemaForm.ts';
import type { SchemaField } from '../model/schema.ts';
import { hasOther } from '../model/values.ts';
import type { DestinationViewProps } from '../views.ts';

/** Which credentials are set, with a button to replace each. They can't be read. */
export function CredentialsPanel({ property, platform, destination }: DestinationViewProps) {
  const form = useRef<HTMLFormElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { mutate, isPending, error } = useChange(property.id, destination.id, 'Credentials saved');
  const showMistake = useFirstMistake(form, error);
  const secrets = useSchemaForm(platform.credentials_schema, 'credentials', error);
  const close = () => {
    setOpen(new Set());
    // A field opens empty, because a secret is never shown.
    secrets.reset();
  };
  const { set, changed_at } = destination.credentials;
  const edited = secrets.fields.filter(({ name }) => open.has(name));
  const typed = edited.filter(({ name }) => (secrets.values[name] ?? '').trim() !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    secrets.read();
    if (typed.some(({ name }) => secrets.mistakes.has(name))) return showMistake();
    mutate(
      {
        credentials: Object.fromEntries(typed.map(({ name }) => [name, (secrets.values[name] ?? '').trim()])),
      },
      { onSuccess: close },
    );
  };
  if (secrets.fields.length === 0) return <p className="aside">This platform needs no credentials.</p>;
  return (
    <form ref={form} className="form" noValidate onSubmit={submit}>
      <ul className="credentials">
        {secrets.fields.map((field) => (
          <li key={field.name}>
            {open.has(field.name) ? (
              <SchemaControl
                field={field}
                secret
                value={secrets.values[field.name] ?? ''}
                message={secrets.problems.get(field.name)}
                onValue={(text) => secrets.set(field.name, text)}
              />
            ) : (
              <CredentialRow
                field={field}
                isSet={set.includes(field.name)}
                pending={isPending}
                onOpen={() => setOpen((before) => new Set(before).add(field.name))}
                onRemove={() => mutate({ credentials: { [field.name]: null } })}
              />
            )}
          </li>
        ))}
      </ul>
      <p className="quiet">
        Stored encrypted and never shown again. Last changed <Time value={changed_at} form="date" />.
      </p>
      {error !== null && hasOther(error, new Set(edited.map(({ name }) => `credentials/${name}`))) && (
        <ErrorState error={error} />
      )}
      {edited.length > 0 && (
        <div className="form-actions">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            className="button button-primary"
            disabled={isPending || typed.length < edited.length}
          >
            {isPending ? 'Saving…' : 'Save'}
          </button>
        </div>
      )}
    </form>
  );
}

interface CredentialRowProps {
  field: SchemaField;
  isSet: boolean;
  pending: boolean;
  onOpen: () => void;
  onRemove: () => void;
}

function CredentialRow({ field, isSet, pending, onOpen, onRemove }: CredentialRowProps) {
  return (
    <div className="credential">
      <div>
        <p className="field-label">{field.title}</p>
        {isSet ? <Mark tone="good" title="Set" /> : <Mark tone="off" title="Not set" />}
      </div>
      <div className="panel-actions">
        {isSet && !field.required && (
          <button
            type="button"
            className="button button-small button-plain"
            aria-label={`Remove ${field.title}`}
            disabled={pending}
            onClick={onRemove}
          >
            Remove
          </button>
        )}
        <button
          type="button"
          className="button button-small"
          aria-label={`${isSet ? 'Replace' : 'Set'} ${field.title}`}
          onClick={onOpen}
        >
          {isSet ? 'Replace' : 'Set'}
        </button>
      </div>
    </div>
  );
}
