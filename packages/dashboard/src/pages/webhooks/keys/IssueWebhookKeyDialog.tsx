import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { useHeldKeys } from '../../../features/keys/HeldKeys.tsx';
import { IssuedKeyNotice } from '../../../features/keys/IssuedKeyNotice.tsx';
import { heldName, webhooksApi, webhooksQueries } from '../../../features/webhooks/api.ts';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { Field } from '../../../parts/Field.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { RATE, readRate } from '../model/limits.ts';
import { RateField } from './RateLimitDialog.tsx';

const MAX_NAME = 100;

/** Two screens: the form, then the key, until it is confirmed as stored. */
export function IssueWebhookKeyDialog({ property, onClose }: { property: Property; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { hold } = useHeldKeys();
  const [issued, setIssued] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [rateText, setRateText] = useState(String(RATE.usual));
  const rate = readRate(rateText);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (rate_limit: number) => webhooksApi.issueKey(property.id, { name: name.trim(), rate_limit }),
    onSuccess: ({ key }) => {
      setIssued(key);
      hold(heldName(property.id), key);
      void queryClient.invalidateQueries(webhooksQueries.keys(property.id));
    },
  });
  if (issued !== null) {
    return (
      <Dialog key="issued" title="Your webhook key" onClose={onClose} dismissible={false}>
        <IssuedKeyNotice label="Webhook key" value={issued} onDone={onClose} />
      </Dialog>
    );
  }
  const problem = error instanceof ApiError ? error : null;
  const atField = problem?.field('name') ?? problem?.field('rate_limit');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (rate !== null) mutate(rate);
  };
  return (
    <Dialog title="New webhook key" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>You’ll see the key once, in the next step.</p>
        <Field
          label="Name"
          required
          autoFocus
          maxLength={MAX_NAME}
          placeholder="Shop back end"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problem?.field('name')}
          hint="Name the app that uses it, so you know which key to revoke later."
        />
        <RateField
          value={rateText}
          onText={setRateText}
          error={rate === null ? 'A whole number within these limits.' : problem?.field('rate_limit')}
        />
        {error !== null && atField === undefined && <ErrorState error={error} />}
        <DialogActions onCancel={onClose} disabled={isPending || name.trim() === '' || rate === null}>
          {isPending ? 'Creating…' : 'Create key'}
        </DialogActions>
      </form>
    </Dialog>
  );
}
