import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useRef, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import {
  type Destination,
  destinationsApi,
  destinationsQueries,
  type NewDestination,
  type Platform,
} from '../../../features/destinations/api.ts';
import { CONSOLES } from '../../../features/destinations/consoles.ts';
import { shortTitle } from '../../../features/destinations/messages.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Field } from '../../../parts/Field.tsx';
import { IconInfo } from '../../../parts/icons.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { SchemaForm } from '../form/SchemaControl.tsx';
import { useFirstMistake, useSchemaForm } from '../form/useSchemaForm.ts';
import { needsMapping } from '../model/mapping.ts';
import { splitByNeed } from '../model/schema.ts';
import { hasOther } from '../model/values.ts';

const MAX_NAME = 100;

interface ConnectFormProps {
  property: Property;
  platform: Platform;
  others: readonly Destination[];
}

export function ConnectForm({ property, platform, others }: ConnectFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const accountId = useId();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(() => freeName(platform, others));
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: NewDestination) => destinationsApi.connect(property.id, body),
    onSuccess: async (made) => {
      queryClient.setQueryData(destinationsQueries.list(property.id).queryKey, [...others, made]);
      announce(`${made.name} is connected`);
      await navigate({
        to: '/p/$propertyId/destinations/$destinationId',
        params: { propertyId: property.id, destinationId: made.id },
        search: { view: needsMapping(platform.events, made.events).length > 0 ? 'events' : 'test' },
      });
    },
  });
  const showMistake = useFirstMistake(form, error);
  const config = useSchemaForm(platform.config_schema, 'config', error);
  const credentials = useSchemaForm(platform.credentials_schema, 'credentials', error);
  const account = splitByNeed(config.fields);
  const access = splitByNeed(credentials.fields);
  const rare = [...account.rare, ...access.rare];
  const hasRareProblem =
    account.rare.some((field) => config.problems.has(field.name)) ||
    access.rare.some((field) => credentials.problems.has(field.name));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [settings, secrets] = [config.read(), credentials.read()];
    if (settings === null || secrets === null) return showMistake();
    mutate({
      platform: platform.platform,
      name: name.trim(),
      config: settings,
      credentials: secrets as Record<string, string>,
    });
  };
  const same = others.filter((one) => one.platform === platform.platform);
  const site = CONSOLES[platform.platform];
  const isTested = needsMapping(platform.events, {}).length === 0;
  const nameError = error instanceof ApiError ? error.field('name') : undefined;
  const shown = new Set([
    'name',
    ...config.fields.map((field) => `config/${field.name}`),
    ...credentials.fields.map((field) => `credentials/${field.name}`),
  ]);
  return (
    <form ref={form} className="card form connect-form" noValidate onSubmit={submit}>
      {same.length > 0 && (
        <div className="notice">
          <IconInfo />
          <p className="break">
            <strong>{same.map(({ name: one }) => one).join(', ')}</strong>{' '}
            {same.length === 1 ? 'is already connected' : 'are already connected'}. Each conversion will go to{' '}
            {same.length === 1 ? 'both' : 'all of them'}.
          </p>
        </div>
      )}
      <fieldset aria-labelledby={accountId}>
        <div className="fieldset-head">
          <span id={accountId} className="fieldset-name">
            Account
          </span>
          {site !== undefined && (
            <a href={site.address} target="_blank" rel="noreferrer" className="quiet-link">
              Open {site.name}
              <span className="visually-hidden"> (opens a new tab)</span>
              <span aria-hidden="true"> ↗</span>
            </a>
          )}
        </div>
        <Field
          label="Name"
          maxLength={MAX_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={nameError}
        />
        <SchemaForm {...config} fields={account.main} onValue={config.set} />
      </fieldset>
      {access.main.length > 0 && (
        <fieldset>
          <legend>Credentials</legend>
          <p className="field-hint">Stored encrypted. You can replace them, but not read them again.</p>
          <SchemaForm {...credentials} fields={access.main} secret onValue={credentials.set} />
        </fieldset>
      )}
      {rare.length > 0 && (
        <details
          className="advanced"
          open={isOpen || hasRareProblem}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary className="disclosure">
            <span>Advanced</span>
            <span className="quiet">{rare.map(({ title }) => title).join(', ')}</span>
          </summary>
          <fieldset>
            <legend className="visually-hidden">Advanced</legend>
            <SchemaForm {...config} fields={account.rare} onValue={config.set} />
            <SchemaForm {...credentials} fields={access.rare} secret onValue={credentials.set} />
          </fieldset>
        </details>
      )}
      {error !== null && hasOther(error, shown) && <ErrorState error={error} />}
      <p className="aside">New conversions are sent within seconds. Earlier ones are not sent.</p>
      <div className="form-actions">
        <Link to="/p/$propertyId/destinations" params={{ propertyId: property.id }} className="button">
          Cancel
        </Link>
        <button
          type="submit"
          className="button button-primary"
          disabled={isPending || name.trim() === '' || config.isIncomplete || credentials.isIncomplete}
        >
          {isPending ? 'Connecting…' : isTested ? 'Connect and test' : 'Connect and map events'}
        </button>
      </div>
    </form>
  );
}

/** `Meta`; `Meta 2` beside another account of the same platform, whatever that is called. */
function freeName({ platform, title }: Platform, others: readonly Destination[]): string {
  const short = shortTitle(title);
  const taken = new Set(others.map(({ name }) => name));
  const before = others.filter((one) => one.platform === platform).length;
  let name = before === 0 ? short : `${short} ${before + 1}`;
  for (let turn = before + 2; taken.has(name); turn += 1) name = `${short} ${turn}`;
  return name;
}
