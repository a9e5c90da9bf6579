import { dayIn, dayLabel } from '../../format/time.ts';
import { Time, useTimeZone } from '../../parts/Time.tsx';

interface FirstSeenProps {
  /** null: it never came. */
  of: string | null;
  /** The first day that is known. */
  since: string | null;
  /** Whether there was data before that day. */
  isCut?: boolean;
}

/** The first visit of all, and whether nothing is known of the days before it. */
export function FirstSeen({ of: at, since, isCut = false }: FirstSeenProps) {
  const timeZone = useTimeZone() ?? 'UTC';
  if (at === null) return null;
  const day = dayIn(timeZone, Date.parse(at));
  const isEarliest = since !== null && day <= since;
  return (
    <div>
      First seen{' '}
      {isEarliest && !isCut ? (
        `${dayLabel(day, true)}, the start of the data`
      ) : (
        <>
          <Time value={at} form="date" />
          {isEarliest && ' or before'}
        </>
      )}
    </div>
  );
}
