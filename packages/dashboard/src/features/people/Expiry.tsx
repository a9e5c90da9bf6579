import { DAY_MS } from '@ghostlight/core/time';
import { counted } from '../../format/names.ts';
import { instant } from '../../format/time.ts';
import { Time, useNow } from '../../parts/Time.tsx';

/** From here on, a date alone says enough. */
const MOST_DAYS = 400;

interface ExpiryProps {
  value: string | null;
  /** With this many days left, it is marked. */
  soon?: number;
}

/** `In 7 days`, with its last day below; what never ends says so. */
export function Expiry({ value, soon = 0 }: ExpiryProps) {
  const now = useNow();
  const end = instant(value);
  if (end === null) return <>Never</>;
  // The last moment at which it works: what ends at midnight ends with the day before.
  const day = <Time value={end - 1} form="day" />;
  const left = Math.ceil((end - now) / DAY_MS);
  if (left <= 0 || left > MOST_DAYS) return day;
  return (
    <>
      <span className={left <= soon ? 'expires-soon' : undefined}>
        {left === 1 ? 'Within a day' : `In ${counted(left, 'day')}`}
      </span>
      <span className="cell-below">{day}</span>
    </>
  );
}
