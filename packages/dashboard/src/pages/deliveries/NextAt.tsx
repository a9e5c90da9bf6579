import { ago, instant } from '../../format/time.ts';
import { Time, useNow } from '../../parts/Time.tsx';

/** When its turn comes. A turn that is over due has something before it: other events, a pause, a platform that is resting. */
export function NextAt({ value }: { value: string | null }) {
  const now = useNow();
  const ms = instant(value);
  if (ms === null || ago(ms, now) === 'just now') return 'now';
  return ms < now ? 'as soon as it can be' : <Time value={value} form="ago" />;
}
