import { type FormEvent, useId, useState } from 'react';
import { dayOfTyped, daysBetween, typedOf } from '../format/calendar.ts';
import { counted } from '../format/names.ts';
import { type DayPair, type Period, rangeLabel } from '../format/period.ts';
import { Calendar } from './Calendar.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';
import { Field } from './Field.tsx';

interface PeriodDialogProps {
  period: Pick<Period, 'from' | 'to'>;
  timeZone: string;
  /** Later days can't be chosen. */
  today: string;
  /** The longest range, in days; left out: any. */
  most?: number;
  /** What a range is compared with; null: nothing. Left out: nothing is compared. */
  compared?: (days: DayPair) => DayPair | null;
  onChoose: (from: string, to: string) => void;
  /** Left out: there has to be a range. */
  onAll?: () => void;
  onClose: () => void;
}

/** A custom range of days: pressed in a calendar, or typed. */
export function PeriodDialog({
  period,
  timeZone,
  today,
  most = Number.POSITIVE_INFINITY,
  compared = () => null,
  onChoose,
  onAll,
  onClose,
}: PeriodDialogProps) {
  const [first, setFirst] = useState(typedOf(period.from));
  const [last, setLast] = useState(typedOf(period.to));
  /** The day that a range was begun with in the calendar: the next one ends it. */
  const [begun, setBegun] = useState<string | null>(null);
  /** The field that was last touched: its month is shown, and a day that is pressed is for it. */
  const [touched, setTouched] = useState<'first' | 'last' | null>(null);
  // Without any, a day that is pressed begins a range.
  const active = begun !== null ? 'last' : (touched ?? 'first');
  const errorId = useId();
  const [from, to] = [dayOfTyped(first), dayOfTyped(last)];
  const fault = faultOf(from, to, { today, most });
  const show = (one: string, other: string) => {
    setFirst(typedOf(one));
    setLast(typedOf(other));
  };
  const onDay = (day: string) => {
    setTouched(null);
    // One end alone, as far as it stays an end.
    if (begun === null && touched === 'last' && from !== null && day >= from) return setLast(typedOf(day));
    if (begun === null && touched === 'first' && to !== null && day <= to) return setFirst(typedOf(day));
    if (begun === null) show(day, day);
    else show(begun < day ? begun : day, begun < day ? day : begun);
    setBegun(begun === null ? day : null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault === null && from !== null && to !== null) onChoose(from, to);
  };
  const chosen = fault === null && from !== null && to !== null ? { from, to } : null;
  const described = { 'aria-describedby': fault === null ? undefined : errorId, autoComplete: 'off' };
  return (
    <Dialog title="Custom range" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <div className="days-pair">
          <Field
            {...described}
            label="First day"
            required
            data-active={active === 'first'}
            onFocus={() => setTouched('first')}
            value={first}
            onChange={(event) => {
              setFirst(event.target.value);
              setBegun(null);
            }}
          />
          <Field
            {...described}
            label="Last day"
            required
            data-active={active === 'last'}
            onFocus={() => setTouched('last')}
            value={last}
            onChange={(event) => {
              setLast(event.target.value);
              setBegun(null);
            }}
          />
        </div>
        <Calendar
          from={from ?? period.from}
          to={begun === null ? (to ?? period.to) : null}
          today={today}
          shown={touched === null ? null : touched === 'first' ? from : to}
          onDay={onDay}
        />
        {onAll !== undefined && (
          <p>
            <button type="button" className="link-button" onClick={onAll}>
              All days
            </button>
          </p>
        )}
        <div className="period-foot">
          {fault === null ? (
            <p className="field-hint" role="status">
              {begun !== null || chosen === null
                ? 'Choose the last day'
                : sentenceOf(chosen, compared(chosen), timeZone)}
            </p>
          ) : (
            <p id={errorId} className="field-error">
              {fault}
            </p>
          )}
          <DialogActions onCancel={onClose} disabled={fault !== null}>
            Apply
          </DialogActions>
        </div>
      </form>
    </Dialog>
  );
}

/** `30 days (UTC)`; compared where the last day is not over, `29 full days and today (UTC), compared with 30 Sept – 28 Oct 2026`. */
function sentenceOf(days: DayPair, before: DayPair | null, timeZone: string): string {
  const length = daysBetween(days.from, days.to);
  if (before === null) return `${counted(length, 'day')} (${timeZone})`;
  const full = daysBetween(before.from, before.to);
  const text = full === length - 1 ? `${counted(full, 'full day')} and today` : counted(length, 'day');
  return `${text} (${timeZone}), compared with ${rangeLabel(before)}`;
}

function faultOf(
  from: string | null,
  to: string | null,
  { today, most }: Required<Pick<PeriodDialogProps, 'today' | 'most'>>,
): string | null {
  if (from === null || to === null) return `Enter a day as ${typedOf(today)} or ${today}.`;
  if (from > to) return 'The last day can’t come before the first.';
  if (to > today) return 'The last day can’t be later than today.';
  return daysBetween(from, to) > most ? `At most ${most} days.` : null;
}
