import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { IngestKey } from '../../api/types.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import type { Said } from '../../parts/Field.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { TextArea, TextInput } from '../../parts/TextInput.tsx';
import { changesOf, draftOf, type SourceSetting } from './source-settings.ts';

interface SettingsDialogProps {
  ingestKey: IngestKey;
  /** The settings of its source; the form is made of them. */
  fields: readonly SourceSetting[];
  onClose: () => void;
}

export function SettingsDialog({ ingestKey, fields, onClose }: SettingsDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [draft, setDraft] = useState(() => draftOf(fields, ingestKey));
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [checked, setChecked] = useState(false);
  const { changes, problems } = changesOf(fields, ingestKey, draft, removed);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.setKey(ingestKey.id, changes),
    onSuccess: async () => {
      await queryClient.invalidateQueries(queries.keys());
      announce(`Saved the settings of ${ingestKey.name}`);
      onClose();
    },
  });
  const wrong = Object.keys(problems).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!wrong) mutate();
  };
  const refused = error instanceof ApiError ? error : null;
  const problemOf = (name: string): Said | undefined => {
    const message = checked ? (problems[name] ?? fieldError(refused, name)) : undefined;
    return message === undefined ? undefined : { message, severity: 'error' };
  };
  const elsewhere = error !== null && !fields.some(({ name }) => problemOf(name) !== undefined);
  const remove = (name: string, on: boolean) =>
    setRemoved((before) => new Set(on ? [...before, name] : [...before].filter((one) => one !== name)));
  return (
    <Dialog title={`Settings of “${ingestKey.name}”`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        {fields.map((field) => (
          <SettingField
            key={field.name}
            field={field}
            value={draft[field.name] ?? ''}
            isSet={ingestKey.settings[field.name] !== undefined}
            removed={removed.has(field.name)}
            problem={problemOf(field.name)}
            onText={(text) => setDraft((before) => ({ ...before, [field.name]: text }))}
            onRemove={(on) => remove(field.name, on)}
          />
        ))}
        {elsewhere && <ErrorState error={error} />}
        <DialogActions
          onCancel={onClose}
          disabled={isPending || (!wrong && Object.keys(changes).length === 0)}
        >
          {isPending ? 'Saving…' : 'Save'}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** A problem may be within a value: `/service_ids/0`. */
function fieldError(error: ApiError | null, name: string): string | undefined {
  return error?.fields.find(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))
    ?.message;
}

interface SettingFieldProps {
  field: SourceSetting;
  value: string;
  /** The service has a value. */
  isSet: boolean;
  removed: boolean;
  problem: Said | undefined;
  onText: (text: string) => void;
  onRemove: (on: boolean) => void;
}

function SettingField({ field, value, isSet, removed, problem, onText, onRemove }: SettingFieldProps) {
  const { kind, title, about } = field;
  const common = { label: title, value, onText, problem, code: true };
  if (kind === 'list') return <TextArea {...common} hint={`${about} One per line.`} />;
  if (kind === 'mapping')
    return (
      <TextArea
        {...common}
        rows={6}
        placeholder={'{\n  "timestamp": "time",\n  "pathname": "request.uri"\n}'}
        hint={`${about} As a JSON object.`}
      />
    );
  if (kind === 'text') return <TextInput {...common} hint={about} />;
  return (
    <>
      <TextInput
        {...common}
        type="password"
        autoComplete="off"
        disabled={removed}
        {...(isSet ? { note: 'set', placeholder: 'Leave empty to keep it' } : {})}
        hint={`${about} Stored encrypted, never shown again.`}
      />
      {isSet && (
        <label className="check">
          <input type="checkbox" checked={removed} onChange={(event) => onRemove(event.target.checked)} />
          <span>Remove it</span>
        </label>
      )}
    </>
  );
}
