/** Times below the bars of a chart, in the property's zone. */
import { shortDateTimeIn, timeOfDay } from '../../format/time.ts';

/** `21 Nov, 14:00`; `14:00` where all times are of one day. */
export function barLabel(iso: string, timeZone: string, isOneDay: boolean): string {
  const ms = Date.parse(iso);
  return isOneDay ? timeOfDay(ms, timeZone) : shortDateTimeIn(timeZone).format(ms);
}

/** Half the length of a letter beside a bar, in pixels. */
export const HALF_LETTER = 3;
