import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { IssuedKeyNotice } from '../../features/keys/IssuedKeyNotice.tsx';
import { type NewToken, peopleApi, peopleQueries, type TokenRole } from '../../features/people/api.ts';
import { OneOrAll } from '../../features/people/OneOrAll.tsx';
import { RoleChoice } from '../../features/people/RoleChoice.tsx';
import { useWhere } from '../../features/people/search.ts';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Field } from '../../parts/Field.tsx';
import { FormError } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import { EXPIRIES, type Expiry, expiryTime } from './state.ts';

/** Two screens: the form, then the token, until it is confirmed as stored. */
export function IssueTokenDialog({ onClose }: { onClose: () => void }) {
  const where = useWhere();
  const queryClient = useQueryClient();
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: (fields: NewToken) => peopleApi.issueToken(where, fields),
    onSuccess: () => queryClient.invalidateQueries(peopleQueries.tokens(where)),
  });
  return data === undefined ? (
    <Dialog key="form" title="New API token" onClose={onClose}>
      <IssueTokenForm
        pending={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
        onCancel={onClose}
      />
    </Dialog>
  ) : (
    <Dialog key="issued" title="Your API token" onClose={onClose} dismissible={false}>
      <IssuedKeyNotice label="API token" what="the token" value={data.token} onDone={onClose} />
    </Dialog>
  );
}

interface IssueTokenFormProps {
  pending: boolean;
  error: unknown;
  onSubmit: (fields: NewToken) => void;
  onCancel: () => void;
}

const MAX_NAME = 100;
const TOKEN_ROLES = ['viewer', 'admin'] as const;

function IssueTokenForm({ pending, error, onSubmit, onCancel }: IssueTokenFormProps) {
  const expirySelect = useId();
  const [name, setName] = useState('');
  const [role, setRole] = useState<TokenRole>('viewer');
  const [propertyId, setPropertyId] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [day, setDay] = useState('');
  const problem = error instanceof ApiError ? error : null;
  // The day of a date is in its own field.
  const until = expiry === 'day' ? null : expiryTime(expiry, day, Date.now());
  const isReady = name.trim() !== '' && (expiry !== 'day' || day !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expiresAt = expiryTime(expiry, day, Date.now());
    onSubmit({
      name: name.trim(),
      role,
      ...(propertyId === '' ? {} : { attribution_id: propertyId }),
      ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    });
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>You’ll see the token once, in the next step.</p>
      <Field
        label="Name"
        required
        autoFocus
        maxLength={MAX_NAME}
        placeholder="Weekly report"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={problem?.field('name')}
      />
      <RoleChoice roles={TOKEN_ROLES} value={role} onChoose={setRole} />
      <OneOrAll
        value={propertyId}
        onChoose={setPropertyId}
        error={
          problem?.field('attribution_id') === undefined ? undefined : 'It belongs to another organization.'
        }
      />
      <div className="field">
        <label htmlFor={expirySelect}>Expires</label>
        <select
          id={expirySelect}
          className="input select"
          value={expiry}
          onChange={({ target }) =>
            setExpiry(EXPIRIES.find(([value]) => value === target.value)?.[0] ?? expiry)
          }
        >
          {EXPIRIES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {until !== null && (
          <p className="field-hint">
            Works until <Time value={until} form="day" />.
          </p>
        )}
      </div>
      {expiry === 'day' && (
        <Field
          label="Last day"
          type="date"
          required
          value={day}
          onChange={(event) => setDay(event.target.value)}
          error={problem?.field('expires_at')}
          hint="It works until the end of this day."
        />
      )}
      <FormError error={error} />
      <DialogActions onCancel={onCancel} disabled={pending || !isReady}>
        {pending ? 'Creating…' : 'Create token'}
      </DialogActions>
    </form>
  );
}
