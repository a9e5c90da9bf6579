import { type FormEvent, useId, useState } from 'react';
import type { Period } from '../format/period.ts';
import { Dialog, DialogActions } from './Dialog.tsx';
import { Field } from './Field.tsx';

interface PeriodDialogProps {
  period: Period;
  timeZone: string;
  /** Later days can't be chosen. */
  today: string;
  onChoose: (from: string, to: string) => void;
  onClose: () => void;
}

/** A custom range of days. */
export function PeriodDialog({ period, timeZone, today, onChoose, onClose }: PeriodDialogProps) {
  const [from, setFrom] = useState(period.from);
  const [to, setTo] = useState(period.to);
  const errorId = useId();
  const isOrdered = from !== '' && to !== '' && from <= to;
  const fault = !isOrdered
    ? 'The last day can’t come before the first.'
    : to > today
      ? 'The last day can’t be later than today.'
      : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault === null) onChoose(from, to);
  };
  return (
    <Dialog title="Custom range" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <div className="days-pair">
          <Field
            label="First day"
            type="date"
            required
            max={today}
            autoFocus
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <Field
            label="Last day"
            type="date"
            required
            max={today}
            value={to}
            onChange={(event) => setTo(event.target.value)}
            aria-describedby={fault === null ? undefined : errorId}
          />
        </div>
        <p className="field-hint">Days in {timeZone}, both included; at most 400.</p>
        {fault !== null && (
          <p id={errorId} className="field-error">
            {fault}
          </p>
        )}
        <DialogActions onCancel={onClose} disabled={fault !== null}>
          Apply
        </DialogActions>
      </form>
    </Dialog>
  );
}
