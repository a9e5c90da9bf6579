import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import type { Property } from '../../../api/types.ts';
import { Field } from '../../../parts/Field.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { useSettings } from '../useSettings.ts';
import { LOOKBACK, readDays } from './lookback.ts';

export function LookbackForm({ property, days }: { property: Property; days: number }) {
  const [text, setText] = useState(String(days));
  const { mutate, isPending, error } = useSettings(property.id, 'Look-back saved');
  const wanted = readDays(text);
  const refused = error instanceof ApiError ? error.field('lookback_days') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== null) mutate({ lookback_days: wanted });
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label="Days from the click"
        required
        inputMode="numeric"
        className="number days-input"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={wanted === null ? `${LOOKBACK.least} to ${LOOKBACK.most} whole days.` : refused}
        hint="Holds for conversions that arrive from now on; what is recorded stays as it was judged. Refunds inherit their order’s match at any age."
      />
      {error !== null && refused === undefined && <ErrorState error={error} />}
      <div>
        <button type="submit" className="button" disabled={isPending || wanted === null || wanted === days}>
          {isPending ? 'Saving…' : 'Save'}
        </button>
      </div>
    </form>
  );
}
