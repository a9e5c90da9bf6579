import { ago, clock, dateTime, instant, utc } from '../format/time.ts';
import { useTimeZone } from './time-zone.ts';
import { useNow } from './useNow.ts';

interface TimeProps {
  value: string | number | null | undefined;
  form: 'clock' | 'date' | 'ago';
  /** Shown when there is no time. */
  none?: string;
}

/** A moment in the property's zone (where none is open, in the reader's), with UTC on hover. */
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
      {form === 'ago' ? <Ago ms={ms} /> : form === 'clock' ? clock(ms, timeZone) : dateTime(ms, timeZone)}
    </time>
  );
}

function Ago({ ms }: { ms: number }) {
  return ago(ms, useNow());
}
