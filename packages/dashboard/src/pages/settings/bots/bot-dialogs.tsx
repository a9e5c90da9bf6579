import { INTENTS } from '@ghostlight/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { type CustomBot, type CustomBotFields, customBotsApi } from '../../../features/lists/custom-bots.ts';
import { intentName } from '../../../format/names.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { RemoveDialog } from '../../../parts/ConfirmDialog.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { Field } from '../../../parts/Field.tsx';
import { Select } from '../../../parts/Select.tsx';
import { ErrorState } from '../../../parts/states.tsx';

const MAX_LENGTH = 64;
const FIELDS = [
  { name: 'name', label: 'Name', placeholder: 'Intranet Bot' },
  {
    name: 'token',
    label: 'User agent contains',
    placeholder: 'intranetbot',
    hint: (
      <>
        A whole word, in any case: <code>intranetbot</code> matches <code>IntranetBot/1.0</code>.
      </>
    ),
  },
  { name: 'vendor', label: 'Vendor', placeholder: 'Example Inc' },
] as const;
type Intent = CustomBotFields['intent'];
const INTENT_OPTIONS: readonly (readonly [Intent | '', string])[] = [
  ['', 'Choose…'],
  ...INTENTS.map((intent) => [intent, intentName(intent)] as const),
];
const INTENT_HINTS: Readonly<Record<Intent | '', string>> = {
  '': 'What the bot reads pages for.',
  training: 'Collects pages to train AI models.',
  search: 'Builds the index of an AI search engine.',
  on_demand: 'Opens a page because a person asked for it.',
  other: 'Reads pages for another purpose, or for one that isn’t known.',
};
const NOTHING: Omit<CustomBotFields, 'intent'> & { intent: Intent | '' } = {
  ...{ token: '', name: '', vendor: '' },
  intent: '',
};

export function AddBotDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [fields, setFields] = useState(NOTHING);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (intent: Intent) => customBotsApi.add({ ...fields, intent }),
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries(queries.lists());
      announce(`Added ${name}`);
      onClose();
    },
  });
  const problem = error instanceof ApiError ? error : null;
  const isIncomplete = fields.intent === '' || FIELDS.some(({ name }) => fields[name].trim() === '');
  const said = FIELDS.some(({ name }) => problem?.field(name) !== undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fields.intent !== '') mutate(fields.intent);
  };
  return (
    <Dialog title="Add a bot" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>Applies to every property. Collectors pick it up within six hours. Past visits don’t change.</p>
        {FIELDS.map(({ name, label, placeholder, ...rest }) => (
          <Field
            key={name}
            label={label}
            required
            maxLength={MAX_LENGTH}
            autoComplete="off"
            {...(name === 'token' ? { className: 'mono', autoCapitalize: 'none', spellCheck: false } : {})}
            placeholder={placeholder}
            {...rest}
            value={fields[name]}
            onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
            error={problem?.field(name)}
          />
        ))}
        <Select
          label="Intent"
          required
          hint={INTENT_HINTS[fields.intent]}
          value={fields.intent}
          options={INTENT_OPTIONS}
          onChoose={(intent) => setFields({ ...fields, intent })}
        />
        {error !== null && !said && <ErrorState error={error} />}
        <DialogActions onCancel={onClose} disabled={isPending || isIncomplete}>
          {isPending ? 'Adding…' : 'Add bot'}
        </DialogActions>
      </form>
    </Dialog>
  );
}

export function RemoveBotDialog({ bot, onClose }: { bot: CustomBot; onClose: () => void }) {
  return (
    <RemoveDialog
      title={`Remove “${bot.name}”?`}
      word={bot.token}
      action="Remove bot"
      remove={() => customBotsApi.remove(bot.token)}
      // The custom bots are part of the lists: both are read again.
      outdated={[queries.lists()]}
      done={`Removed ${bot.name}`}
      onClose={onClose}
    >
      <p>
        New visits of this bot are no longer recognised in any property of this installation. Stored visits
        stay in the reports.
      </p>
    </RemoveDialog>
  );
}
