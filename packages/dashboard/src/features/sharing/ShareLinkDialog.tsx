import { DAY_MS } from '@ghostlight/core/time';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { Property } from '../../api/types.ts';
import { CodeBlock } from '../../parts/CopyButton.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Field } from '../../parts/Field.tsx';
import { IconCheck, IconCross } from '../../parts/icons.tsx';
import { SecretField } from '../../parts/SecretField.tsx';
import { FormError } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import './share-link.css';
import { SHARED_PAGES } from '../session/shared.ts';
import { type IssuedLink, type NewShareLink, sharingApi, sharingQueries } from './api.ts';

const ENDS = [
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['', 'Never'],
] as const;

interface ShareLinkDialogProps {
  property: Property;
  /** The view that it opens, below the link: `/bots?period=last_month`. */
  view?: string;
  onClose: () => void;
}

/** Two screens: the form, then the link, which is shown once. */
export function ShareLinkDialog({ property, view = '', onClose }: ShareLinkDialogProps) {
  const queryClient = useQueryClient();
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: (link: NewShareLink) => sharingApi.issue(property.id, link),
    onSuccess: () => queryClient.invalidateQueries(sharingQueries.links(property.id)),
  });
  return data === undefined ? (
    <Dialog key="form" title="New share link" onClose={onClose}>
      <LinkForm pending={isPending} error={error} onSubmit={mutate} onCancel={onClose} />
    </Dialog>
  ) : (
    <Dialog key="issued" title="Your share link" onClose={onClose} wide>
      <Issued link={data} view={view} onDone={onClose} />
    </Dialog>
  );
}

interface LinkFormProps {
  pending: boolean;
  error: unknown;
  onSubmit: (link: NewShareLink) => void;
  onCancel: () => void;
}

function LinkForm({ pending, error, onSubmit, onCancel }: LinkFormProps) {
  const endSelect = useId();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [end, setEnd] = useState<string>('90');
  const problem = error instanceof ApiError ? error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({
      name: name.trim(),
      ...(password === '' ? {} : { password }),
      ...(end === '' ? {} : { expires_at: new Date(Date.now() + Number(end) * DAY_MS).toISOString() }),
    });
  };
  return (
    <form className="form" onSubmit={submit}>
      <div className="link-shows">
        <ShownList title="Visible" items={SHOWN} isShown />
        <ShownList title="Hidden" items={HIDDEN} />
      </div>
      <Field
        label="Name"
        required
        autoFocus
        maxLength={100}
        placeholder="The board"
        hint="Who it’s for. Only members see it."
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={problem?.field('name')}
      />
      <div className="field">
        <label htmlFor={endSelect}>Expires</label>
        <select
          id={endSelect}
          className="input select"
          value={end}
          onChange={(event) => setEnd(event.target.value)}
        >
          {ENDS.map(([days, label]) => (
            <option key={days} value={days}>
              {label}
            </option>
          ))}
        </select>
        {end !== '' && (
          <p className="field-hint">
            On <Time value={Date.now() + Number(end) * DAY_MS} form="day" />
          </p>
        )}
      </div>
      <Field
        label="Password"
        optional
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={problem?.field('password')}
        hint="At least 8 characters. Share it separately from the link."
      />
      <p className="field-hint">Next, the link is shown once. Copy it then.</p>
      <FormError error={error} />
      <DialogActions onCancel={onCancel} disabled={pending || name.trim() === ''}>
        {pending ? 'Creating…' : 'Create link'}
      </DialogActions>
    </form>
  );
}

const names = (from: number, to: number) =>
  SHARED_PAGES.slice(from, to)
    .map(([, name]) => name)
    .join(', ');
/** The reports by their names in the sidebar. */
const SHOWN = [names(0, 3), names(3, 6), 'Page paths and host names'];
const HIDDEN = [
  'Individual visits: Live, Visits',
  'Trust, Conversions, Settings',
  'IPs, networks, user agents',
];

function ShownList({
  title,
  items,
  isShown = false,
}: {
  title: string;
  items: readonly string[];
  isShown?: boolean;
}) {
  const id = useId();
  const Sign = isShown ? IconCheck : IconCross;
  return (
    <div>
      <p id={id}>{title}</p>
      <ul aria-labelledby={id} data-shown={isShown}>
        {items.map((item) => (
          <li key={item}>
            <Sign />
            {item}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface IssuedProps {
  link: IssuedLink;
  view: string;
  onDone: () => void;
}

/** The chart is of all bots and the last 30 days, as the overview without a filter or a period of its own. */
const isOfChart = (view: string): boolean => view === '' || view === '/overview';

function Issued({ link, view, onDone }: IssuedProps) {
  const address = `${link.url}${view}`;
  return (
    <div className="form">
      <p>
        Copy it now: only a hash is kept here, so it <strong>can’t be shown again</strong>. Revoke it under
        Sharing.
      </p>
      <SecretField value={address} label="Share link" what="the share link" />
      {link.chart_url !== null && isOfChart(view) && (
        <CodeBlock
          title="A chart for another page: visits of all AI bots in the last 30 days"
          code={`<img src="${link.chart_url}" width="300" height="84" alt="AI bot visits">`}
          what="the picture’s markup"
          wrap
        />
      )}
      <div className="dialog-actions">
        <button type="button" className="button button-primary" onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}
