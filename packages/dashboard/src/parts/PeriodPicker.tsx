import { unitOfName } from '@ghostlight/core/periods';
import { useState } from 'react';
import {
  COMPARISONS,
  comparedDays,
  daysLabel,
  fromTo,
  MAX_DAYS,
  named,
  type Period,
  type PeriodChange,
  PRESETS,
  periodLabel,
  rangeLabel,
  stepped,
} from '../format/period.ts';
import { dayIn } from '../format/time.ts';
import { IconCheck, IconChevronDown, IconChevronLeft, IconChevronRight } from './icons.tsx';
import { PeriodDialog } from './PeriodDialog.tsx';
import { ChoicePopover } from './search/ChoicePopover.tsx';
import { useKeyPress } from './shortcuts.ts';
import './period.css';

/** Days up to today, then parts of the calendar: one column each. */
const [BY_DAYS, BY_CALENDAR] = [true, false].map((isByDays) =>
  PRESETS.filter(({ name }) => (unitOfName(name) === null) === isByDays),
);

interface PeriodPickerProps {
  period: Period;
  /** The time zone of the days. */
  timeZone?: string;
  /** Whether the page compares the period with another. */
  compares?: boolean;
  onChange: (change: PeriodChange) => void;
}

/** The period of a page and what it is compared with: by name, by days, or a step back or forward. Its keys are in the shortcuts help. */
export function PeriodPicker({ period, timeZone = 'UTC', compares = false, onChange }: PeriodPickerProps) {
  const [open, setOpen] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [now] = useState(() => Date.now());
  const length = period.unit ?? (period.days === 1 ? 'day' : `${period.days} days`);
  const [back, forth] = [stepped(period, -1, now, timeZone), stepped(period, 1, now, timeZone)];
  const choose = (change: PeriodChange) => {
    setOpen(false);
    onChange(change);
  };
  const today = dayIn(timeZone, now);
  const preset = ({ name, label, key }: (typeof PRESETS)[number]) => (
    <Choice
      key={name}
      chosen={period.name === name}
      onChoose={() => choose(named(name))}
      hint={key}
      // The others say their days.
      days={unitOfName(name) === null ? undefined : daysLabel(name, today)}
    >
      {label}
    </Choice>
  );
  useKeyPress((event) => {
    // Scrollable regions and charts use the arrow keys themselves.
    const isOwn = event.target instanceof Element && event.target.closest('[tabindex="0"]') !== null;
    const step = isOwn ? undefined : { ArrowLeft: back, ArrowRight: forth }[event.key];
    const pressed = PRESETS.find(({ key }) => key === event.key);
    if (event.key === 'c') setChoosing(true);
    else if (pressed !== undefined) onChange(named(pressed.name));
    else if (step) onChange(step);
    else return;
    event.preventDefault();
  });
  return (
    <div className="period-picker">
      <button
        type="button"
        className="button period-step"
        aria-label={`Previous ${length}`}
        title={`Previous ${length} (←)`}
        disabled={back === null}
        onClick={() => back !== null && onChange(back)}
      >
        <IconChevronLeft />
      </button>
      <ChoicePopover
        label="Period"
        open={open}
        align="end"
        onOpen={setOpen}
        trigger={
          <button
            type="button"
            className="button period"
            aria-label={`Period: ${periodLabel(period)}`}
            title={`${rangeLabel(period)}, days in ${timeZone}`}
          >
            {periodLabel(period)}
            <IconChevronDown />
          </button>
        }
      >
        <div className="period-choices">
          <fieldset className="period-names" aria-label="Period">
            <div>
              <p className="period-group">Recent</p>
              {BY_DAYS?.map(preset)}
              <Choice
                chosen={period.name === null}
                hint="c"
                onChoose={() => {
                  setOpen(false);
                  setChoosing(true);
                }}
              >
                Custom range…
              </Choice>
            </div>
            <div>
              <p className="period-group">Calendar</p>
              {BY_CALENDAR?.map(preset)}
            </div>
          </fieldset>
          {compares && (
            <fieldset className="period-compare">
              <legend>Compare with</legend>
              {COMPARISONS.map(({ kind, label }) => (
                <Choice
                  key={kind}
                  chosen={period.compare === kind}
                  onChoose={() => choose({ compare: kind === 'previous' ? undefined : kind })}
                >
                  {label}
                </Choice>
              ))}
            </fieldset>
          )}
          <p className="period-note">Days are in {timeZone}; weeks begin on Monday.</p>
        </div>
      </ChoicePopover>
      <button
        type="button"
        className="button period-step"
        aria-label={`Next ${length}`}
        title={forth === null ? 'The period ends today' : `Next ${length} (→)`}
        disabled={forth === null}
        onClick={() => forth !== null && onChange(forth)}
      >
        <IconChevronRight />
      </button>
      {choosing && (
        <PeriodDialog
          {...{ period, timeZone, today }}
          most={MAX_DAYS}
          compared={(days) => (compares ? comparedDays(days, period.compare, today) : null)}
          onChoose={(from, to) => {
            onChange(fromTo(from, to));
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

interface ChoiceProps {
  chosen: boolean;
  onChoose: () => void;
  /** Its key. */
  hint?: string | undefined;
  /** The days that it stands for. */
  days?: string | undefined;
  children: string;
}

function Choice({ chosen, onChoose, hint, days, children }: ChoiceProps) {
  return (
    <button type="button" className="period-choice" aria-pressed={chosen} onClick={onChoose}>
      <span className="period-tick">{chosen && <IconCheck />}</span>
      <span className="period-name">{children}</span>
      {/* Its key and its days are written by the styles, so that they are no part of the button's name. */}
      {hint !== undefined && <span className="period-key" data-key={hint.toUpperCase()} />}
      {days !== undefined && <span className="period-days" data-days={days} />}
    </button>
  );
}
