import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { LogSource, Property, Provider } from '../../api/types.ts';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Field } from '../../parts/Field.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { groupsOf, useSources } from '../../parts/useSources.ts';
import { useProperties } from '../property/useProperty.ts';
import { useHeldKeys } from './HeldKeys.tsx';
import { IssuedKeyNotice } from './IssuedKeyNotice.tsx';

interface IssueKeyDialogProps {
  /** The open property: the suggested default property, and the one whose commands the key fills in. */
  property: Property;
  /** The log source of the key; the first when absent. */
  provider?: Provider;
  onClose: () => void;
}

/** Two screens: the form, then the key, which stays until it is confirmed as stored. */
export function IssueKeyDialog({ property, provider, onClose }: IssueKeyDialogProps) {
  const queryClient = useQueryClient();
  const { hold } = useHeldKeys();
  // There is always at least one.
  const [first] = useSources() as readonly [LogSource];
  const [issued, setIssued] = useState<string | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: KeyFields) =>
      api.issueKey({
        name: fields.name,
        provider: fields.provider,
        ...(fields.propertyId === null ? {} : { attribution_id: fields.propertyId }),
      }),
    onSuccess: ({ key }) => {
      setIssued(key);
      // Any key of the organization works for the open property, because its commands name the attribution ID.
      hold(property.id, key);
      void queryClient.invalidateQueries(queries.keys());
    },
  });
  return issued === null ? (
    <Dialog title="New ingest key" onClose={onClose}>
      <IssueKeyForm
        property={property}
        provider={provider ?? first.name}
        pending={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
        onCancel={onClose}
      />
    </Dialog>
  ) : (
    <Dialog key="issued" title="Your ingest key" onClose={onClose} dismissible={false}>
      <IssuedKeyNotice value={issued} onDone={onClose} />
    </Dialog>
  );
}

interface KeyFields {
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

const sentence = (words: string) => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

function IssueKeyForm({ property, provider, pending, error, onSubmit, onCancel }: IssueKeyFormProps) {
  const properties = useProperties();
  const sources = useSources();
  const [sourceId, selectId] = [useId(), useId()];
  // null: nothing was typed, and the key is named after its source.
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState(provider);
  const [propertyId, setPropertyId] = useState(property.id);
  const source = sources.find(({ name: value }) => value === chosen);
  const name = typed ?? source?.title ?? '';
  const problem = error instanceof ApiError ? error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ name: name.trim(), provider: chosen, propertyId: propertyId === '' ? null : propertyId });
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>You’ll see the key once, in the next step.</p>
      <Field
        label="Name"
        required
        autoFocus
        maxLength={MAX_NAME}
        placeholder="Production collector"
        value={name}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        error={problem?.field('name')}
      />
      <div className="field">
        <label htmlFor={sourceId}>Source</label>
        <select
          id={sourceId}
          aria-describedby={`${sourceId}-hint`}
          className="input select"
          value={chosen}
          onChange={({ target }) =>
            setChosen(sources.find(({ name }) => name === target.value)?.name ?? chosen)
          }
        >
          {groupsOf(sources).map(({ title, sources: own }) => (
            <optgroup key={title} label={title}>
              {own.map(({ name: value, title: label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <p id={`${sourceId}-hint`} className="field-hint">
          {sentence(source?.key_hint ?? '')}
        </p>
      </div>
      <div className="field">
        <label htmlFor={selectId}>Default property</label>
        <select
          id={selectId}
          aria-describedby={`${selectId}-hint`}
          className="input select"
          value={propertyId}
          onChange={(event) => setPropertyId(event.target.value)}
        >
          <option value="">None: every visit names its property</option>
          {properties.map(({ id, name: label, domain }) => (
            <option key={id} value={id}>
              {label} ({domain})
            </option>
          ))}
        </select>
        <p id={`${selectId}-hint`} className="field-hint">
          The key works for every property. This one is used when a visit doesn’t name its own.
        </p>
      </div>
      {error !== null && problem?.field('name') === undefined && <ErrorState error={error} />}
      <DialogActions onCancel={onCancel} disabled={pending || name.trim() === ''}>
        {pending ? 'Creating…' : 'Create key'}
      </DialogActions>
    </form>
  );
}
