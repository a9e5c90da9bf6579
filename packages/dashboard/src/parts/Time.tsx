import { DAY_MS } from '@ghostlight/core/time';
import { createContext, useContext, useEffect, useState } from 'react';
import {
  ago,
  clock,
  dateTime,
  dayIn,
  dayLabel,
  instant,
  shortDateTime,
  timeOfDay,
  utc,
} from '../format/time.ts';

interface TimeProps {
  value: string | number | null | undefined;
  form: keyof typeof FORMS;
  /** Shown when there is no time. */
  none?: string;
}

/** A time in the property's zone, or the reader's when no property is open, with UTC on hover. */
export function Time({ value, form, none = '–' }: TimeProps) {
  const timeZone = useTimeZone() ?? undefined;
  const ms = instant(value);
  if (ms === null) return <span>{none}</span>;
  const iso = new Date(ms).toISOString();
  return (
    <time
      dateTime={iso}
      title={timeZone === undefined ? utc(ms) : `${dateTime(ms, timeZone)} ${timeZone}, ${utc(ms)}`}
    >
      {FORMS[form](ms, timeZone)}
    </time>
  );
}

/**
 * `date` and `day` have the year; `short`, for rows and cards, leaves out the current one; `time` has no day, and `day` no time. `recent` is
 * `ago` for a day, then `short`, because the hour of an old row is worth more than its age.
 */
const FORMS = {
  ago: (ms: number) => <Ago ms={ms} />,
  clock,
  date: dateTime,
  day: (ms: number, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone) =>
    dayLabel(dayIn(timeZone, ms), true),
  time: timeOfDay,
  short: (ms: number, timeZone?: string) => shortDateTime(ms, Date.now(), timeZone),
  recent: (ms: number, timeZone?: string) => <Recent ms={ms} timeZone={timeZone} />,
} as const;

function Ago({ ms }: { ms: number }) {
  return ago(ms, useNow());
}

function Recent({ ms, timeZone }: { ms: number; timeZone: string | undefined }) {
  const now = useNow();
  return now - ms < DAY_MS ? ago(ms, now) : shortDateTime(ms, now, timeZone);
}

const TICK_MS = 5_000;

/** The current time in epoch milliseconds, updated every few seconds while mounted. */
export function useNow(everyMs = TICK_MS): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** The time zone of the open property. null: no property is open, and times are in the reader's own zone. */
export const TimeZoneContext = createContext<string | null>(null);

export const useTimeZone = (): string | null => useContext(TimeZoneContext);
