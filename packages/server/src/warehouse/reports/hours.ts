/** Hours of a period, and of the days compared with. */
import { HOUR_MS } from '@ghostlight/core/time';
import type { ReportQuery } from './facts.ts';

export interface HourRow {
  /** Hours since the period began, or since the days before did. */
  readonly hour: number;
  readonly is_before: 0 | 1;
}

/** The columns of an `HourRow`, of facts with `first_at`. @param query whose days are all read from raw hits; at most 14 */
export function hourOf({ plan: { from, previous, startOf } }: ReportQuery): string {
  const start = `if(f.day >= {from:Date}, ${startOf(from)}, ${startOf(previous?.from ?? from)})`;
  return `toUInt32(intDiv(toUnixTimestamp64Milli(f.first_at) - ${start}, ${HOUR_MS})) AS hour, toUInt8(f.day < {from:Date}) AS is_before`;
}
