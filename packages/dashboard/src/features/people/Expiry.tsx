import { DAY_MS } from '@ghostlight/core/time';
import { counted } from '../../format/names.ts';
import { dayIn, dayLabel, instant } from '../../format/time.ts';
import { Time, useNow } from '../../parts/Time.tsx';

interface ExpiryProps {
  value: string | null;
  /** With this many days left, it is marked. */
  soon?: number;
}

/** The reader’s, as on every page of an organization. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Up to here, days are counted. */
const NEAR_DAYS = 14;

/** `In 7 days`, or its last day where that is further away; what never ends says so. */
export function Expiry({ value, soon = 0 }: ExpiryProps) {
  const now = useNow();
  const end = instant(value);
  if (end === null) return <span className="quiet expiry-words">Never</span>;
  // The last moment at which it works: what ends at midnight ends with the day before.
  const day = <Time value={end - 1} form="day" />;
  const left = Math.ceil((end - now) / DAY_MS);
  if (left <= 0 || left > NEAR_DAYS) return day;
  return (
    <span
      className={left <= soon ? 'expiry-words expires-soon' : 'expiry-words'}
      title={dayLabel(dayIn(ZONE, end - 1), true)}
    >
      {left === 1 ? 'Within a day' : `In ${counted(left, 'day')}`}
    </span>
  );
}
