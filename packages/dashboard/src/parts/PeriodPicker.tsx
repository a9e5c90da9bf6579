import { type FormEvent, useId, useState } from 'react';
import {
  DEFAULT_DAYS,
  PERIODS,
  type Period,
  type PeriodChange,
  type PeriodSearch,
} from '../format/period.ts';
import { Dialog } from './Dialog.tsx';
import { Field } from './Field.tsx';

const CUSTOM = 'custom';

interface PeriodPickerProps {
  search: PeriodSearch;
  period: Period;
  onChange: (change: PeriodChange) => void;
}

export function PeriodPicker({ search, period, onChange }: PeriodPickerProps) {
  const [choosing, setChoosing] = useState(false);
  const isCustom = search.from !== undefined;
  return (
    <>
      <select
        className="input select period"
        aria-label="Period"
        value={isCustom ? CUSTOM : String(search.days ?? DEFAULT_DAYS)}
        onChange={({ target: { value } }) => {
          const days = PERIODS.find((one) => String(one) === value);
          if (days === undefined) setChoosing(true);
          else onChange({ days: days === DEFAULT_DAYS ? undefined : days, from: undefined, to: undefined });
        }}
      >
        {PERIODS.map((days) => (
          <option key={days} value={days}>
            Last {days} days
          </option>
        ))}
        <option value={CUSTOM}>{isCustom ? `${period.from} to ${period.to}` : 'Other days…'}</option>
      </select>
      {isCustom && (
        <button type="button" className="button" onClick={() => setChoosing(true)}>
          Change days
        </button>
      )}
      {choosing && (
        <PeriodDialog
          period={period}
          onChoose={(from, to) => {
            onChange({ from, to, days: undefined });
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

interface PeriodDialogProps {
  period: Period;
  onChoose: (from: string, to: string) => void;
  onClose: () => void;
}

function PeriodDialog({ period, onChoose, onClose }: PeriodDialogProps) {
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
        <p className="field-hint">UTC days, both included; at most 400.</p>
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
