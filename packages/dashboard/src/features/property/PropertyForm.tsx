import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { PropertyFields } from '../../api/types.ts';
import { Field } from '../../parts/Field.tsx';
import { Select } from '../../parts/Select.tsx';
import { ErrorState } from '../../parts/states.tsx';

interface PropertyFormProps {
  initial?: PropertyFields;
  submitLabel: string;
  pending: boolean;
  error: unknown;
  /** Of a property that is being created: its sitemap is asked for too; `''` leaves it to be found. */
  asksSitemap?: boolean;
  /** Before the button, as in dialogs: how to leave the form. */
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
  // null: nothing was typed, and a new property is named after its domain.
  const [typed, setTyped] = useState<string | null>(initial?.name ?? null);
  const [domain, setDomain] = useState(initial?.domain ?? '');
  const name = typed ?? hostOf(domain);
  const [timeZone, setTimeZone] = useState(initial?.time_zone ?? ownTimeZone());
  const [sitemap, setSitemap] = useState('');
  const zones = useMemo(() => timeZones(initial?.time_zone), [initial?.time_zone]);
  const problem = error instanceof ApiError ? error : null;
  const atField =
    problem?.field('name') ??
    problem?.field('domain') ??
    problem?.field('time_zone') ??
    problem?.field('url');
  const zoneProblem = problem?.field('time_zone');
  const unchanged =
    initial !== undefined &&
    initial.name === name &&
    initial.domain === domain &&
    initial.time_zone === timeZone;
  const isEmpty = name.trim() === '' || domain.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ name: name.trim(), domain: domain.trim(), time_zone: timeZone }, sitemap.trim());
  };
  const nameField = (
    <Field
      label="Name"
      required
      maxLength={MAX_NAME}
      placeholder="My shop"
      value={name}
      onChange={(event) => setTyped(event.target.value)}
      error={problem?.field('name')}
    />
  );
  return (
    <form className="form" onSubmit={submit}>
      {initial !== undefined && nameField}
      <Field
        label="Domain"
        required
        autoFocus={initial === undefined}
        maxLength={MAX_DOMAIN}
        placeholder="shop.example"
        className="mono"
        autoCapitalize="none"
        spellCheck={false}
        value={domain}
        onChange={(event) => setDomain(event.target.value)}
        error={problem?.field('domain')}
        hint={
          initial === undefined
            ? 'You can paste a URL.'
            : 'You can paste a URL. If you change it, past visits keep the old domain.'
        }
      />
      {initial === undefined && nameField}
      <Select
        label="Time zone"
        value={timeZone}
        options={zones}
        onChoose={setTimeZone}
        hint="Days in reports begin at midnight in this time zone."
        problem={zoneProblem === undefined ? undefined : { message: zoneProblem, severity: 'error' }}
      />
      {asksSitemap && (
        <Field
          label="Sitemap"
          optional
          type="url"
          maxLength={2_048}
          className="mono"
          placeholder="https://shop.example/sitemap.xml"
          value={sitemap}
          onChange={(event) => setSitemap(event.target.value)}
          error={problem?.field('url')}
          hint="Pages that no AI bot reads are found through it. If you leave it empty, robots.txt and /sitemap.xml are tried."
        />
      )}
      {error !== null && atField === undefined && <ErrorState error={error} />}
      <div className="property-actions" data-leaves={otherWay !== undefined}>
        {otherWay}
        <button type="submit" className="button button-primary" disabled={pending || unchanged || isEmpty}>
          {pending ? 'Saving…' : submitLabel}
        </button>
      </div>
    </form>
  );
}

/** `shop.example` of what was typed or pasted as a domain. */
function hostOf(domain: string): string {
  return domain
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/?#:].*$/, '')
    .replace(/^www\./i, '')
    .slice(0, MAX_NAME);
}

/** The time zones of this browser, and the property's own, which may have a former name. */
function timeZones(own = 'UTC'): (readonly [string, string])[] {
  const names = new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')]);
  return [...names].map((name) => [name, name.replaceAll('_', ' ')]);
}

/** The browser's own zone if it is a named region; else UTC. */
function ownTimeZone(): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^[A-Za-z][\w+-]*\//.test(own) && !own.startsWith('Etc/') ? own : 'UTC';
}
