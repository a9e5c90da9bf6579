/** Days of reports, which are UTC days whatever the reader's zone. */

/** `21 Nov` of a UTC day, whatever the reader's zone. */
export function dayLabel(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(`${day}T00:00:00Z`),
  );
}
