/** Days of reports: days of the property's time zone, named as the service names them and never moved by the reader's zone. */

/** The day that it is in a zone, `2026-11-21`. */
export function dayIn(timeZone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(ms);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}`;
}

/** Which days a page counts: `Days are days in Europe/Berlin.` */
export const daysOfZone = (timeZone: string): string =>
  timeZone === 'UTC' ? 'Days are UTC.' : `Days are days in ${timeZone}.`;

/** `21 Nov` of a day, whatever the reader's zone; `21 Nov 2026` with its year. */
export function dayLabel(day: string, withYear = false): string {
  return (withYear ? WITH_YEAR : WITHOUT_YEAR).format(Date.parse(`${day}T00:00:00Z`));
}

const WITHOUT_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const WITH_YEAR = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  timeZone: 'UTC',
});
