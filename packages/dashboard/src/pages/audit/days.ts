/** The days of the audit log's filter in words. */
import { rangeLabel } from '../../format/period.ts';
import { dayLabel } from '../../format/time.ts';
import type { AuditChange } from './search.ts';

/** UTC days, as the log's filters count: its entries are of properties with many time zones. */
export const ZONE = 'UTC';

/** An address may have one side only: `Until 10 Nov 2026, UTC`. */
export function daysLabel({ from, to }: Pick<AuditChange, 'from' | 'to'>): string {
  if (from !== undefined && to !== undefined) return `${rangeLabel({ from, to })}, ${ZONE}`;
  if (from !== undefined) return `From ${dayLabel(from, true)}, ${ZONE}`;
  return to === undefined ? 'Days: all' : `Until ${dayLabel(to, true)}, ${ZONE}`;
}
