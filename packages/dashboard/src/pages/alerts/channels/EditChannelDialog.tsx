import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { Field } from '../../../parts/Field.tsx';
import { FormError } from '../../../parts/states.tsx';
import { type Channel, useChannel } from '../api.ts';
import { type Kinds, KindsField } from './KindsField.tsx';
import { SecretNotice, TARGETS } from './target-fields.tsx';

interface EditChannelDialogProps {
  property: Property;
  channel: Channel;
  onClose: () => void;
}

const MAX_NAME = 100;

export function EditChannelDialog({ property, channel, onClose }: EditChannelDialogProps) {
  const [name, setName] = useState(channel.name);
  const [target, setTarget] = useState('');
  const [rotate, setRotate] = useState(false);
  const [kinds, setKinds] = useState<Kinds>(channel.kinds);
  const { mutate, isPending, error, data } = useChannel(property.id, channel, (made) => {
    if (made.secret === null) onClose();
  });
  if (data?.secret !== undefined && data.secret !== null)
    return <SecretNotice secret={data.secret} onClose={onClose} />;
  const refused = error instanceof ApiError ? error : null;
  const words = TARGETS[channel.type];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({
      name: name.trim(),
      ...(target.trim() === '' ? {} : { target: target.trim() }),
      ...(rotate ? { rotate_secret: true } : {}),
      kinds: kinds === null ? null : [...kinds],
    });
  };
  return (
    <Dialog title={`Change “${channel.name}”`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <Field
          label="Name"
          required
          maxLength={MAX_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={refused?.field('name')}
        />
        <Field
          label={`New ${words.label === 'URL' ? 'URL' : words.label.toLowerCase()}`}
          hint={channel.target === null ? words.hint : `Leave empty to keep ${channel.target}.`}
          placeholder={words.placeholder}
          required={channel.target === null}
          type={channel.type === 'email' ? 'email' : 'url'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={target}
          onChange={(event) => setTarget(event.target.value)}
          error={refused?.field('target')}
        />
        <KindsField property={property} kinds={kinds} onChoose={setKinds} />
        {channel.type === 'webhook' && (
          <label className="check">
            <input type="checkbox" checked={rotate} onChange={(event) => setRotate(event.target.checked)} />
            <span>Create a new signing secret; the old one stops working at once</span>
          </label>
        )}
        <FormError error={error} />
        <DialogActions onCancel={onClose} disabled={isPending || name.trim() === ''}>
          {isPending ? 'Saving…' : 'Save'}
        </DialogActions>
      </form>
    </Dialog>
  );
}
