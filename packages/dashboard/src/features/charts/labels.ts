/** Times below the bars of a chart, in the property's zone. */

export const partsIn = (timeZone: string) =>
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
