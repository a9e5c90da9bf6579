/** Times of the explorer as text, in the property's zone. */
import { shortDateTimeIn } from '../../format/time.ts';

/** `21 Nov, 14:00 – 15:00`; open ends are named. */
export function timeSpan(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  timeZone: string,
): string {
  const format = shortDateTimeIn(timeZone);
  if (since !== undefined && until !== undefined)
    return format.formatRange(Date.parse(since), Date.parse(until));
  return since === undefined
    ? `before ${format.format(Date.parse(until ?? ''))}`
    : `from ${format.format(Date.parse(since))}`;
}
