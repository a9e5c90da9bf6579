/** What the last 30 days say about a threshold. */
import { counted } from '../../../format/names.ts';
import { dayLabel } from '../../../format/time.ts';
import type { RuleHistory } from '../api.ts';

export type Day = RuleHistory['days'][number];

/** Whether a day's figure reaches the threshold; a day without one does not. */
export const reaches = (fires: RuleHistory['fires'], value: number | null, threshold: number): boolean =>
  value !== null && (fires === 'below' ? value < threshold : value >= threshold);

/** Two digits, cut and not rounded: a day must not look as if it reached a threshold that it is under. */
export const shown = (value: number): string => (Math.floor(value * 100 + 1e-7) / 100).toLocaleString('en');

/** A day without a figure says why. */
export const saidOf = ({ value, reason }: Day): string => {
  if (value !== null) return shown(value);
  return reason === 'unknown' ? 'unknown' : 'too little to say';
};

/** The height of the chart: the threshold is always inside. */
export const ceilingOf = (days: readonly Day[], threshold: number): number =>
  1.1 * Math.max(threshold, 1, ...days.map(({ value }) => value ?? 0));

/** The chart in words. */
export function toldOf({ days, unit, fires }: RuleHistory, threshold: number): string {
  const said = days.filter((day): day is Day & { value: number } => day.value !== null);
  const [first] = said;
  if (first === undefined) return 'The last 30 days have too few figures to choose a threshold by.';
  const isFurther = (one: number, other: number) => (fires === 'below' ? one < other : one > other);
  const extreme = said.reduce((found, day) => (isFurther(day.value, found.value) ? day : found), first);
  const reached = said.filter(({ value }) => reaches(fires, value, threshold)).length;
  // A unit may be a percent sign with what it is of: `85% accepted`.
  const space = unit.startsWith('%') ? '' : ' ';
  const most = `${shown(extreme.value)}${space}${unit}, on ${dayLabel(extreme.day)}`;
  const times = reached === 0 ? 'on no day' : `on ${counted(reached, 'day')}`;
  const line = threshold.toLocaleString('en');
  const unknown = days.filter(({ reason }) => reason === 'unknown').length;
  const doubt = unknown === 0 ? '' : ` The figure of ${counted(unknown, 'day')} is unknown.`;
  if (extreme.value === 0 && fires === 'at_least')
    return `Last 30 days: nothing to count on any day. The threshold was reached ${times}.${doubt}`;
  return fires === 'below'
    ? `Last 30 days: lowest ${most}. It was below ${line} ${times}.${doubt}`
    : `Last 30 days: highest ${most}. The threshold was reached ${times}.${doubt}`;
}
