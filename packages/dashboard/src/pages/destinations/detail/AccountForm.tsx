import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { Field } from '../../../parts/Field.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { SchemaForm } from '../form/SchemaForm.tsx';
import { useFirstMistake } from '../form/useFirstMistake.ts';
import { useSchemaForm } from '../form/useSchemaForm.ts';
import { hasOther } from '../model/problems.ts';
import { useChange } from '../useChange.ts';
import type { DestinationViewProps } from './view-props.ts';

const MAX_NAME = 100;

export function AccountForm({ property, platform, destination }: DestinationViewProps) {
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState(destination.name);
  const { mutate, isPending, isSuccess, error, reset } = useChange(
    property.id,
    destination.id,
    'Settings saved',
  );
  const showMistake = useFirstMistake(form, error);
  const config = useSchemaForm(platform.config_schema, 'config', error, destination.config);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const settings = config.read();
    if (settings === null) return showMistake();
    mutate({ name: name.trim(), config: settings }, { onSuccess: (changed) => config.reset(changed.config) });
  };
  const shown = new Set(['name', ...config.fields.map((field) => `config/${field.name}`)]);
  return (
    <form ref={form} className="form" noValidate onSubmit={submit} onChange={() => isSuccess && reset()}>
      <Field
        label="Name"
        maxLength={MAX_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={error instanceof ApiError ? error.field('name') : undefined}
      />
      <SchemaForm {...config} onValue={config.set} />
      {error !== null && hasOther(error, shown) && <ErrorState error={error} />}
      <div className="form-actions">
        <button type="submit" className="button" disabled={isPending || name.trim() === ''}>
          {isPending ? 'Saving…' : 'Save'}
        </button>
        {isSuccess && <Mark tone="good" title="Saved" />}
      </div>
    </form>
  );
}
