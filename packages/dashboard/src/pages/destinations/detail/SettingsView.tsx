import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import {
  type Destination,
  destinationsApi,
  destinationsQueries,
} from '../../../features/destinations/api.ts';
import { useChange } from '../../../features/destinations/useChange.ts';
import { counted } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';
import { Field } from '../../../parts/Field.tsx';
import { Section } from '../../../parts/Section.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { SchemaForm } from '../form/SchemaControl.tsx';
import { useFirstMistake, useSchemaForm } from '../form/useSchemaForm.ts';
import { hasOther } from '../model/values.ts';
import type { DestinationViewProps } from '../views.ts';
import { CredentialsPanel } from './CredentialsPanel.tsx';

export function SettingsView({ property, platform, destination }: DestinationViewProps) {
  return (
    <div className="sections destination-settings">
      <Section title="Account" about="The account that receives the events.">
        <AccountForm property={property} platform={platform} destination={destination} />
      </Section>
      <Section title="Credentials" about="Access to the platform.">
        <CredentialsPanel property={property} platform={platform} destination={destination} />
      </Section>
      <Section title="Delete" about="Permanently.">
        <DeleteDestination property={property} destination={destination} />
      </Section>
    </div>
  );
}

const MAX_NAME = 100;

function AccountForm({ property, platform, destination }: DestinationViewProps) {
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

function DeleteDestination({ property, destination }: { property: Property; destination: Destination }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => destinationsApi.remove(property.id, destination.id),
    onSuccess: async () => {
      announce(`Deleted ${destination.name}`);
      await navigate({ to: '/p/$propertyId/destinations', params: { propertyId: property.id } });
      await queryClient.invalidateQueries({ queryKey: destinationsQueries.list(property.id).queryKey });
    },
  });
  const { waiting } = destination.health;
  return (
    <div className="form">
      <p className="aside">Sending stops and the credentials are deleted. Past deliveries stay listed.</p>
      <div>
        <button type="button" className="button button-bad" onClick={() => setAsking(true)}>
          Delete this destination
        </button>
      </div>
      {asking && (
        <ConfirmDialog
          title={`Delete ${destination.name}?`}
          word={destination.name}
          action="Delete destination"
          pending={isPending}
          error={error}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            {waiting > 0
              ? `${counted(waiting, 'waiting conversion', 'waiting conversions')} will be skipped. `
              : ''}
            Its credentials are deleted at once. To stop sending for a while, pause it instead.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
