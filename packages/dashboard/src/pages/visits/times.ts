/** Times of the explorer as text, in the property's zone. */

const partsIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    timeZone,
  });
const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });

/** `21 Nov, 14:00`; `14:00` where all times are of one day. */
export function barLabel(iso: string, timeZone: string, isOneDay: boolean): string {
  return (isOneDay ? clockIn(timeZone) : partsIn(timeZone)).format(Date.parse(iso));
}

/** `21 Nov, 14:00 – 15:00`; open ends are named. */
export function timeSpan(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  timeZone: string,
): string {
  const format = partsIn(timeZone);
  if (since !== undefined && until !== undefined)
    return format.formatRange(Date.parse(since), Date.parse(until));
  return since === undefined
    ? `before ${format.format(Date.parse(until ?? ''))}`
    : `from ${format.format(Date.parse(since))}`;
}
