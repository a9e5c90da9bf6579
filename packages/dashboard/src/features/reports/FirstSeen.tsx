import { dayIn } from '../../format/time.ts';
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
  const isEarliest = since !== null && dayIn(timeZone, Date.parse(at)) <= since;
  return (
    <div>
      First seen <Time value={at} form="date" />
      {isEarliest && (isCut ? ' or before' : ', the start of the data')}
    </div>
  );
}
