/** What the last 30 days say about a threshold. */
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

/** The chart in words: how often the threshold was reached, then the day that came furthest. */
export function toldOf(
  { days, unit, fires }: RuleHistory,
  threshold: number,
): { lead: string; more: string } {
  const said = days.filter((day): day is Day & { value: number } => day.value !== null);
  const [first] = said;
  if (first === undefined)
    return { lead: 'The last 30 days have too little data to choose a threshold', more: '' };
  const isBelow = fires === 'below';
  const isFurther = (one: number, other: number) => (isBelow ? one < other : one > other);
  const extreme = said.reduce((found, day) => (isFurther(day.value, found.value) ? day : found), first);
  const reached = said.filter(({ value }) => reaches(fires, value, threshold)).length;
  const unknown = days.filter(({ reason }) => reason === 'unknown').length;
  // A unit may be a percent sign with what it is of: `85% accepted`.
  const most = `${shown(extreme.value)}${unit.startsWith('%') ? '' : ' '}${unit}`;
  const day = extreme.value === 0 && !isBelow ? '' : `, ${dayLabel(extreme.day)}`;
  return {
    lead: `${reached === 0 ? `Never ${isBelow ? 'below it' : 'reached'}` : `${isBelow ? 'Below it' : 'Reached'} on ${reached}`} ${reached === 0 ? 'in' : 'of'} the last 30 days`,
    more: [`${isBelow ? 'Lowest' : 'Highest'}: ${most}${day}.`, ...doubtOf(unknown)].join(' '),
  };
}

/** The same in a few words, for the row of the rule. Nothing where there is too little to say; days of which nothing is known don’t count. */
export function reachedText({ days, fires }: RuleHistory, threshold: number): string {
  if (days.every(({ value }) => value === null)) return '';
  const known = days.filter(({ reason }) => reason !== 'unknown');
  const reached = known.filter(({ value }) => reaches(fires, value, threshold)).length;
  if (reached === 0) return `${fires === 'below' ? 'Not below it' : 'Not reached'} in ${known.length} days`;
  return `${fires === 'below' ? 'Below it' : 'Reached'} on ${reached} of ${known.length} days`;
}

const doubtOf = (unknown: number): string[] => {
  if (unknown === 0) return [];
  return [
    unknown === 1 ? 'The figure for 1 day is unknown.' : `The figures for ${unknown} days are unknown.`,
  ];
};
