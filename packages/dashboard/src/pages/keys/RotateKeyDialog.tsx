import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { IngestKey } from '../../api/types.ts';
import { useHeldKeys } from '../../features/keys/HeldKeys.tsx';
import { IssuedKeyNotice } from '../../features/keys/IssuedKeyNotice.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Select } from '../../parts/Select.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { Time, useNow, useTimeZone } from '../../parts/Time.tsx';
import { worksUntil } from './source-settings.ts';

const HOUR = HOUR_MS / 1_000;
const DAY = DAY_MS / 1_000;
/** Seconds that the old key still works. */
const OVERLAPS = [
  [`${HOUR}`, 'One hour'],
  [`${DAY}`, 'One day'],
  [`${7 * DAY}`, '7 days'],
  [`${30 * DAY}`, '30 days'],
  [`${90 * DAY}`, '90 days'],
] as const;

interface RotateKeyDialogProps {
  ingestKey: IngestKey;
  /** The open property, whose commands the new key fills in. */
  propertyId: string;
  onClose: () => void;
}

/** Two screens: how long the old key still works, then the new key. */
export function RotateKeyDialog({ ingestKey, propertyId, onClose }: RotateKeyDialogProps) {
  const queryClient = useQueryClient();
  const { hold } = useHeldKeys();
  const zone = useTimeZone();
  const now = useNow();
  const [overlap, setOverlap] = useState<string>(`${7 * DAY}`);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => api.rotateKey(ingestKey.id, Number(overlap)),
    onSuccess: ({ key }) => {
      hold(propertyId, key);
      void queryClient.invalidateQueries(queries.keys());
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  if (data !== undefined)
    return (
      <Dialog key="issued" title="Your new ingest key" onClose={onClose} dismissible={false}>
        <IssuedKeyNotice
          value={data.key}
          onDone={onClose}
          about={
            <>
              Store it now and enter it at the sender: it <strong>can’t be shown again</strong>. The old key,{' '}
              <code>{ingestKey.prefix}…</code>, works until{' '}
              <Time value={worksUntil(ingestKey, data.created_at, Number(overlap))} form="date" /> {zone}.
            </>
          }
        />
      </Dialog>
    );
  return (
    <Dialog title={`Rotate “${ingestKey.name}”`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>You’ll see the new key once, in the next step. It has the same settings.</p>
        <Select
          label="Keep the old key working for"
          value={overlap}
          options={OVERLAPS}
          onChoose={setOverlap}
          hint={
            <>
              Both keys work until{' '}
              <strong>
                <Time
                  value={worksUntil(ingestKey, new Date(now).toISOString(), Number(overlap))}
                  form="date"
                />{' '}
                {zone}
              </strong>
              . After that, visits sent with the old key are rejected.
            </>
          }
        />
        {error !== null && <ErrorState error={error} />}
        <DialogActions onCancel={onClose} disabled={isPending}>
          {isPending ? 'Rotating…' : 'Rotate key'}
        </DialogActions>
      </form>
    </Dialog>
  );
}
