import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { useMay } from '../../../features/session/useSession.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { Field } from '../../../parts/Field.tsx';
import { Segments } from '../../../parts/Switch.tsx';
import { FormError } from '../../../parts/states.tsx';
import { alertsApi, alertsQueries, type ChannelType } from '../api.ts';
import { CHANNEL_NAMES } from '../messages.ts';
import { type Kinds, KindsField } from './KindsField.tsx';
import { SecretNotice, TARGETS } from './target-fields.tsx';

interface AddChannelDialogProps {
  property: Property;
  emailAvailable: boolean;
  /** The kind that is chosen at first; absent: one that works here. */
  first?: ChannelType;
  onClose: () => void;
}

const TYPES = (['email', 'slack', 'webhook'] as const).map((type) => [type, CHANNEL_NAMES[type]] as const);
const MAX_NAME = 100;

/** The form; then, for a webhook, its signing secret, until it is confirmed as stored. */
export function AddChannelDialog({
  property,
  emailAvailable,
  first = emailAvailable ? 'email' : 'slack',
  onClose,
}: AddChannelDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const mayReachAll = useMay('organization');
  const [type, setType] = useState<ChannelType>(first);
  const [name, setName] = useState('');
  const [target, setTarget] = useState('');
  const reach = useId();
  const [everywhere, setEverywhere] = useState(false);
  const [kinds, setKinds] = useState<Kinds>(null);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () =>
      alertsApi.addChannel(property.id, {
        ...{ type, target: target.trim(), everywhere },
        kinds: kinds === null ? null : [...kinds],
        name: name.trim() === '' ? CHANNEL_NAMES[type] : name.trim(),
      }),
    onSuccess: async (made) => {
      await queryClient.invalidateQueries(alertsQueries.channels(property.id));
      announce(`${made.name} added`);
      if (made.secret === null) onClose();
    },
  });
  if (data?.secret !== undefined && data.secret !== null)
    return <SecretNotice secret={data.secret} onClose={onClose} />;
  const refused = error instanceof ApiError ? error : null;
  const words = TARGETS[type];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Dialog title="Add channel" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <Segments
          legend="Kind of channel"
          value={type}
          options={TYPES}
          disabled={emailAvailable ? [] : ['email']}
          whyDisabled="This server can’t send mail yet"
          onChoose={setType}
        />
        <Field
          key={type}
          label={words.label}
          hint={words.hint}
          placeholder={words.placeholder}
          required
          autoFocus
          type={type === 'email' ? 'email' : 'url'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={target}
          onChange={(event) => setTarget(event.target.value)}
          error={refused?.field('target')}
        />
        <Field
          label="Name"
          optional
          placeholder={CHANNEL_NAMES[type]}
          maxLength={MAX_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={refused?.field('name')}
        />
        <KindsField property={property} kinds={kinds} onChoose={setKinds} />
        {mayReachAll && (
          <fieldset className="choices">
            <legend>Properties</legend>
            {[true, false].map((all) => (
              <label key={String(all)} className="choice" data-chosen={everywhere === all}>
                <input
                  type="radio"
                  name={reach}
                  checked={everywhere === all}
                  onChange={() => setEverywhere(all)}
                />
                <span className="break">{all ? 'All, including future ones' : `Only ${property.name}`}</span>
              </label>
            ))}
          </fieldset>
        )}
        <FormError error={error} />
        <DialogActions onCancel={onClose} disabled={isPending || target.trim() === '' || kinds?.length === 0}>
          {isPending ? 'Adding…' : 'Add channel'}
        </DialogActions>
      </form>
    </Dialog>
  );
}
