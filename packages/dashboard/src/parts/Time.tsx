import { ago, clock, dateTime, instant, utc } from '../format/time.ts';
import { useNow } from './useNow.ts';

interface TimeProps {
  value: string | number | null | undefined;
  form: 'clock' | 'date' | 'ago';
  /** Shown when there is no time. */
  none?: string;
}

/** A moment in the reader's zone, with UTC on hover. */
export function Time({ value, form, none = '–' }: TimeProps) {
  const ms = instant(value);
  if (ms === null) return <span>{none}</span>;
  const iso = new Date(ms).toISOString();
  return (
    <time dateTime={iso} title={utc(ms)}>
      {form === 'ago' ? <Ago ms={ms} /> : form === 'clock' ? clock(ms) : dateTime(ms)}
    </time>
  );
}

function Ago({ ms }: { ms: number }) {
  return ago(ms, useNow());
}
