import { type FormEvent, useId, useState } from 'react';
import type { Period } from '../format/period.ts';
import { Dialog } from './Dialog.tsx';
import { Field } from './Field.tsx';

interface PeriodDialogProps {
  period: Period;
  timeZone: string;
  onChoose: (from: string, to: string) => void;
  onClose: () => void;
}

/** Any two days, and all between them. */
export function PeriodDialog({ period, timeZone, onChoose, onClose }: PeriodDialogProps) {
  const [from, setFrom] = useState(period.from);
  const [to, setTo] = useState(period.to);
  const errorId = useId();
  const isOrdered = from !== '' && to !== '' && from <= to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isOrdered) onChoose(from, to);
  };
  return (
    <Dialog title="Choose days" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <div className="days-pair">
          <Field
            label="First day"
            type="date"
            required
            autoFocus
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <Field
            label="Last day"
            type="date"
            required
            value={to}
            onChange={(event) => setTo(event.target.value)}
            aria-describedby={isOrdered ? undefined : errorId}
          />
        </div>
        <p className="field-hint">Days in {timeZone}, both included; at most 400.</p>
        {!isOrdered && (
          <p id={errorId} className="field-error">
            The last day can’t come before the first.
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-primary" disabled={!isOrdered}>
            Show these days
          </button>
        </div>
      </form>
    </Dialog>
  );
}
