import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { PropertyFields } from '../../api/types.ts';
import { Field } from '../../parts/Field.tsx';
import { ErrorState } from '../../parts/states.tsx';

interface PropertyFormProps {
  initial?: PropertyFields;
  submitLabel: string;
  pending: boolean;
  error: unknown;
  /** Of a property that is being created: its sitemap is asked for too; `''` leaves it to be found. */
  asksSitemap?: boolean;
  /** Beside the button: how to leave the form. */
  otherWay?: ReactNode;
  onSubmit: (fields: PropertyFields, sitemap: string) => void;
}

const MAX_NAME = 100;
const MAX_DOMAIN = 300;

/** Name, domain and time zone. Errors of the service are shown at their fields. */
export function PropertyForm({
  initial,
  submitLabel,
  pending,
  error,
  asksSitemap = false,
  otherWay,
  onSubmit,
}: PropertyFormProps) {
  const [name, setName] = useState(initial?.name ?? '');
  const [domain, setDomain] = useState(initial?.domain ?? '');
  const [timeZone, setTimeZone] = useState(initial?.time_zone ?? ownTimeZone());
  const [sitemap, setSitemap] = useState('');
  const zones = useMemo(timeZones, []);
  const zonesId = useId();
  const problem = error instanceof ApiError ? error : null;
  const atField =
    problem?.field('name') ??
    problem?.field('domain') ??
    problem?.field('time_zone') ??
    problem?.field('url');
  const unchanged =
    initial !== undefined &&
    initial.name === name &&
    initial.domain === domain &&
    initial.time_zone === timeZone;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ name: name.trim(), domain: domain.trim(), time_zone: timeZone.trim() }, sitemap.trim());
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
        hint="Your site’s domain. A pasted URL works too."
      />
      <Field
        label="Time zone"
        required
        maxLength={64}
        placeholder="Europe/Berlin"
        list={zonesId}
        autoCapitalize="none"
        spellCheck={false}
        value={timeZone}
        onChange={(event) => setTimeZone(event.target.value)}
        error={problem?.field('time_zone')}
        hint="Days in reports start at midnight in this zone."
      />
      <datalist id={zonesId}>
        {zones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {asksSitemap && (
        <Field
          label="Sitemap"
          type="url"
          maxLength={2_048}
          className="mono"
          placeholder="https://shop.example/sitemap.xml"
          value={sitemap}
          onChange={(event) => setSitemap(event.target.value)}
          error={problem?.field('url')}
          hint="Optional. Empty: the one that robots.txt names, else /sitemap.xml."
        />
      )}
      {error !== null && atField === undefined && <ErrorState error={error} />}
      <div className="property-actions">
        <button type="submit" className="button button-primary" disabled={pending || unchanged}>
          {pending ? 'Saving…' : submitLabel}
        </button>
        {otherWay}
      </div>
    </form>
  );
}

/** The time zones to choose from: those of this browser. The service takes former names too, but no offsets. */

function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}

/** The browser's own zone if it is a named region; else UTC. */
function ownTimeZone(): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^[A-Za-z][\w+-]*\//.test(own) && !own.startsWith('Etc/') ? own : 'UTC';
}
