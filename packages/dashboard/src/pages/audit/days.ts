/** The days of the audit log's filter in words. */
import { rangeLabel } from '../../format/period.ts';
import { dayLabel } from '../../format/time.ts';
import type { AuditChange } from './search.ts';

/** The reader's, as on every page of an organization: its properties have many. The page says its name. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `America/New York`. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');

/** An address may have one side only: `Until 10 Nov 2026`. */
export function daysLabel({ from, to }: Pick<AuditChange, 'from' | 'to'>): string {
  if (from !== undefined && to !== undefined) return rangeLabel({ from, to });
  if (from !== undefined) return `From ${dayLabel(from, true)}`;
  return to === undefined ? 'Any time' : `Until ${dayLabel(to, true)}`;
}

/** Midnight at the beginning of a day in the reader's zone, RFC 3339. @param later days */
export function dayStart(day: string, later = 0): string {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
