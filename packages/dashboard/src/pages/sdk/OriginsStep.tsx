import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { Property } from '../../api/types.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { Field } from '../../parts/Field.tsx';
import { IconCross } from '../../parts/icons.tsx';
import { Step } from '../../parts/Section.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { type EventSettings, sdkQueries, useEventSettings } from './api.ts';

export function OriginsStep({ property }: { property: Property }) {
  const { data, error, isPending, refetch } = useQuery(sdkQueries.settings(property.id));
  return (
    <Step number={4} title="Allow origins">
      <p>
        Pages of <code>{property.domain}</code> and its subdomains are always allowed. Add other hosts of
        yours, such as a checkout or a landing-page builder.
      </p>
      {isPending && <Skeleton lines={2} label="Loading origins" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <RequirePermission>
          <OriginsForm property={property} settings={data} />
        </RequirePermission>
      )}
    </Step>
  );
}

const MAX_HOST = 253;

function OriginsForm({ property, settings }: { property: Property; settings: EventSettings }) {
  const [host, setHost] = useState('');
  const { mutate, isPending, error } = useEventSettings(property.id);
  const { allowed_origins: allowed, refuse_foreign_origins: refuses } = settings;
  // Optimistic: a choice that could not be saved is reverted.
  const [refusing, setRefusing] = useState(refuses);
  const refuse = (wanted: boolean) => {
    setRefusing(wanted);
    mutate({ refuse_foreign_origins: wanted }, { onError: () => setRefusing(!wanted) });
  };
  const refused =
    error instanceof ApiError
      ? error.fields.find(({ pointer }) => pointer.startsWith('/allowed_origins'))?.message
      : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ allowed_origins: [...allowed, host.trim()] }, { onSuccess: () => setHost('') });
  };
  return (
    <div className="origins">
      {allowed.length > 0 && (
        <ul className="origin-list" aria-label="Also allowed">
          {allowed.map((one) => (
            <li key={one} className="setting">
              <code className="break">{one}</code>
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove ${one}`}
                disabled={isPending}
                onClick={() => mutate({ allowed_origins: allowed.filter((kept) => kept !== one) })}
              >
                <IconCross />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="origin-add" onSubmit={submit}>
        <Field
          label="Also allow"
          maxLength={MAX_HOST}
          className="mono"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          placeholder="checkout.example"
          value={host}
          onChange={(event) => setHost(event.target.value)}
          error={refused}
        />
        <button type="submit" className="button" disabled={isPending || host.trim() === ''}>
          Allow
        </button>
      </form>
      <label className="check">
        <input type="checkbox" checked={refusing} onChange={(event) => refuse(event.target.checked)} />
        <span>
          Reject events from other origins
          <span className="way-about">They get 403. Otherwise they are accepted and listed as foreign.</span>
        </span>
      </label>
      {error !== null && refused === undefined && <ErrorState error={error} />}
    </div>
  );
}
