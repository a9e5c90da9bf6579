import { useState } from 'react';
import {
  DEFAULT_DAYS,
  fromTo,
  lastDays,
  type Period,
  type PeriodChange,
  type PeriodSearch,
  PRESETS,
  rangeLabel,
  stepped,
} from '../format/period.ts';
import { dayIn } from '../format/time.ts';
import { IconChevronLeft, IconChevronRight } from './icons.tsx';
import { PeriodDialog } from './PeriodDialog.tsx';
import { useKeyPress } from './shortcuts.ts';

/** Values of the select that are not presets. */
const CHOSEN = 'chosen';
const CHOOSE = 'choose';

interface PeriodPickerProps {
  search: PeriodSearch;
  period: Period;
  /** The time zone of the days. */
  timeZone?: string;
  onChange: (change: PeriodChange) => void;
}

/** The period of a page: a preset, a custom range, or a step back or forward. Its keys are in the shortcuts help. */
export function PeriodPicker({ search, period, timeZone = 'UTC', onChange }: PeriodPickerProps) {
  const [choosing, setChoosing] = useState(false);
  const [now] = useState(() => Date.now());
  const isChosen = search.from !== undefined;
  const length = period.days === 1 ? 'day' : `${period.days} days`;
  const [back, forth] = [stepped(period, -1, now, timeZone), stepped(period, 1, now, timeZone)];
  useKeyPress((event) => {
    // Scrollable regions and charts use the arrow keys themselves.
    const isOwn = event.target instanceof Element && event.target.closest('[tabindex="0"]') !== null;
    const step = isOwn ? undefined : { ArrowLeft: back, ArrowRight: forth }[event.key];
    const preset = PRESETS.find(({ key }) => key === event.key);
    if (event.key === 'c') setChoosing(true);
    else if (preset !== undefined) onChange(lastDays(preset.days));
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
      <select
        className="input select period"
        aria-label="Period"
        title={`Days in ${timeZone}`}
        value={isChosen ? CHOSEN : String(search.days ?? DEFAULT_DAYS)}
        onChange={({ target: { value } }) => {
          const preset = PRESETS.find(({ days }) => String(days) === value);
          if (preset !== undefined) onChange(lastDays(preset.days));
          else if (value === CHOOSE) setChoosing(true);
        }}
      >
        {PRESETS.map(({ days, name }) => (
          <option key={days} value={days}>
            {name}
          </option>
        ))}
        {isChosen && <option value={CHOSEN}>{rangeLabel(period)}</option>}
        <option value={CHOOSE}>Custom range…</option>
      </select>
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
          period={period}
          timeZone={timeZone}
          today={dayIn(timeZone, now)}
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
