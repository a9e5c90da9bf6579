import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { type WebhookKey, webhooksApi, webhooksQueries } from '../../../features/webhooks/api.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { Field } from '../../../parts/Field.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { RATE, readRate } from '../model/limits.ts';

interface RateLimitDialogProps {
  property: Property;
  webhookKey: WebhookKey;
  onClose: () => void;
}

export function RateLimitDialog({ property, webhookKey, onClose }: RateLimitDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [text, setText] = useState(String(webhookKey.rate_limit));
  const rate = readRate(text);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (rate_limit: number) => webhooksApi.changeKey(property.id, webhookKey.id, { rate_limit }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(webhooksQueries.keys(property.id));
      announce(`Rate limit of ${webhookKey.name} saved`);
      onClose();
    },
  });
  const refused = error instanceof ApiError ? error.field('rate_limit') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (rate !== null) mutate(rate);
  };
  return (
    <Dialog title={`Rate limit of “${webhookKey.name}”`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <RateField
          autoFocus
          value={text}
          onText={setText}
          error={rate === null ? 'A whole number within these limits.' : refused}
        />
        {error !== null && refused === undefined && <ErrorState error={error} />}
        <DialogActions
          onCancel={onClose}
          disabled={isPending || rate === null || rate === webhookKey.rate_limit}
        >
          {isPending ? 'Saving…' : 'Save'}
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface RateFieldProps {
  value: string;
  onText: (text: string) => void;
  error: string | undefined;
  autoFocus?: boolean;
}

export function RateField({ value, onText, error, autoFocus = false }: RateFieldProps) {
  return (
    <Field
      label={
        <>
          Rate limit<span className="visually-hidden">, requests per minute</span>
        </>
      }
      unit="requests per minute"
      required
      autoFocus={autoFocus}
      inputMode="numeric"
      pattern="[0-9]*"
      className="number rate-input"
      value={value}
      onChange={(event) => onText(event.target.value)}
      error={error}
      hint={
        <>
          <span className="rate-range">
            {RATE.least} to {RATE.most.toLocaleString('en')}.
          </span>{' '}
          Requests above the limit get a 429 response and must be sent again.
        </>
      }
    />
  );
}
