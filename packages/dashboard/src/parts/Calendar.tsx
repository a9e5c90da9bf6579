import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { dayAfter, monthAfter, monthLabel, monthOf, typedOf, weeksOf } from '../format/calendar.ts';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from './icons.tsx';
import './calendar.css';

/** A phone has room for one. */
const ONE_MONTH = '(max-width: 600px)';
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

interface CalendarProps {
  /** The days that are chosen, both included; `to` is null while the second one is awaited. */
  from: string;
  to: string | null;
  /** Later days can't be chosen. */
  today: string;
  /** Its month is shown, where another is; null: no day in particular. */
  shown?: string | null;
  onDay: (day: string) => void;
}

/** Two months, on a phone one, whose days are pressed. Arrows move by days and weeks, Page Up and Page Down by months. */
export function Calendar({ from, to, today, shown: wanted = null, onDay }: CalendarProps) {
  const box = useRef<HTMLDivElement>(null);
  // The first day is chosen first: it is there, also where only one month is.
  const [opened] = useState(() => (window.matchMedia(ONE_MONTH).matches ? from : (to ?? from)));
  const [focus, setFocus] = useState(opened);
  const [month, setMonth] = useState(monthOf(opened));
  const moved = useRef(false);
  // A day that was typed is shown.
  const [shown, setShown] = useState({ from, to });
  if (shown.from !== from || shown.to !== to) {
    setShown({ from, to });
    const changed = to !== null && to !== shown.to ? to : from;
    setFocus(changed);
    if (monthOf(changed) > month || monthOf(changed) < monthAfter(month, -1)) setMonth(monthOf(changed));
  }
  useEffect(() => {
    if (wanted === null) return;
    const isOne = window.matchMedia(ONE_MONTH).matches;
    // Where it is in view, nothing moves.
    setMonth((before) =>
      monthOf(wanted) === before || (!isOne && monthOf(wanted) === monthAfter(before, -1))
        ? before
        : monthOf(wanted),
    );
  }, [wanted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the day that the arrows moved to gets the focus
  useEffect(() => {
    if (moved.current) box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    moved.current = false;
  }, [focus]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    if (step === undefined && months === undefined) return;
    event.preventDefault();
    const wanted =
      step !== undefined ? dayAfter(focus, step) : `${monthAfter(monthOf(focus), months)}${focus.slice(7)}`;
    // 31 October is followed by 30 November.
    const last = dayAfter(`${monthAfter(wanted.slice(0, 7))}-01`, -1);
    const next = [wanted, last, today].sort()[0] ?? today;
    if (next === focus) return;
    moved.current = true;
    setFocus(next);
    // On a phone only the later month is there.
    const first = window.getComputedStyle(box.current?.querySelector('.month') ?? document.body).display;
    if (monthOf(next) > month || monthOf(next) < (first === 'none' ? month : monthAfter(month, -1)))
      setMonth(monthOf(next));
  };
  const earlier = monthAfter(month, -1);
  // The day that Tab leads to is always one that is there.
  const tabbed = monthOf(focus) === month || monthOf(focus) === earlier ? focus : `${month}-01`;
  return (
    <div ref={box} className="calendar">
      <span className="calendar-steps">
        <button
          type="button"
          className="icon-button"
          aria-label="A year earlier"
          onClick={() => setMonth(monthAfter(month, -12))}
        >
          <IconChevronsLeft />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Earlier months"
          onClick={() => setMonth(earlier)}
        >
          <IconChevronLeft />
        </button>
      </span>
      {[earlier, month].map((one) => (
        <Month key={one} month={one} {...{ from, to, today, tabbed, onDay, onKeyDown }} />
      ))}
      <span className="calendar-steps">
        <button
          type="button"
          className="icon-button"
          aria-label="Later months"
          disabled={month >= monthOf(today)}
          onClick={() => setMonth(monthAfter(month))}
        >
          <IconChevronRight />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="A year later"
          disabled={month >= monthOf(today)}
          onClick={() => setMonth([monthAfter(month, 12), monthOf(today)].sort()[0] ?? month)}
        >
          <IconChevronsRight />
        </button>
      </span>
    </div>
  );
}

interface MonthProps extends CalendarProps {
  month: string;
  tabbed: string;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Month({ month, from, to, today, tabbed, onDay, onKeyDown }: MonthProps) {
  const end = to ?? from;
  return (
    <div className="month">
      <p className="month-name" aria-hidden="true">
        {monthLabel(month)}
      </p>
      <table aria-label={monthLabel(month)} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((day) => day !== null)}>
              {week.map((day, weekday) => (
                <td
                  key={day ?? WEEKDAYS[weekday]}
                  data-within={day !== null && day >= from && day <= end}
                  data-edge={day === null ? undefined : edgeOf(day, from, end)}
                >
                  {day !== null && (
                    <button
                      type="button"
                      tabIndex={day === tabbed ? 0 : -1}
                      // Not the fields: on a phone the keyboard would hide the days.
                      data-first={day === tabbed ? '' : undefined}
                      aria-label={`${WEEKDAYS[weekday]}, ${typedOf(day)}`}
                      aria-pressed={day >= from && day <= end}
                      aria-current={day === today ? 'date' : undefined}
                      disabled={day > today}
                      onClick={() => onDay(day)}
                    >
                      {Number(day.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const edgeOf = (day: string, from: string, to: string): string | undefined =>
  day === from && day === to ? 'both' : day === from ? 'start' : day === to ? 'end' : undefined;
