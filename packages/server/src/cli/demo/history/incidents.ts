/** Anomalies in the demo's past, and when they were evaluated: an example of each kind of alert, found by the real rules. */
import { HOUR_MS } from '@ghostlight/core/time';
import type { Day } from './days.ts';

/** Hours of a day in UTC; `to` is outside. */
interface Hours {
  readonly from: number;
  readonly to: number;
}

/** Days ago; `to` is the later day, and inside. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Nothing came from anywhere: keys had been exchanged in the evening, and the new ones were entered only in the morning. */
const QUIET = { ago: 47, hours: { from: 1.25, to: 9 } };
/** The last day of a bot that had come daily for weeks. */
export const GONE_AGO = 40;
/** On one day a crawler read the whole shop several times over. */
export const SPIKE_AGO = 33;
/** On these evenings an impersonator crawled the whole shop, from one network. */
const SURGE: Span = { from: 20, to: 17 };
/** Help articles moved to another host, without redirects. */
export const RENAMED_AGO = 19;
/** The token of a platform had expired: from this hour of the day until one of the next, when the alert had been read. */
export const EXPIRED = { ago: 12, from: 7, to: 9.25 };
/** A deploy that was taken back in the evening; on a Wednesday. */
const DEPLOY = { span: { from: 10, to: 4 }, weekday: 3, hours: { from: 13, to: 17.5 } };
/** Since then an engine sends people, and a bot comes that never had. */
export const FIRST_ENGINE_AGO = 6;
export const FIRST_BOT_AGO = 4;

const isWithin = ({ ago }: Day, { from, to }: Span): boolean => ago <= from && ago >= to;
const isAmong = (at: number, { start }: Day, { from, to }: Hours): boolean =>
  at >= start + from * HOUR_MS && at < start + to * HOUR_MS;

export const isQuiet = (at: number, day: Day): boolean =>
  day.ago === QUIET.ago && isAmong(at, day, QUIET.hours);

export const isSurge = (day: Day): boolean => isWithin(day, SURGE);

const isDeployDay = (day: Day): boolean =>
  isWithin(day, DEPLOY.span) && new Date(day.start).getUTCDay() === DEPLOY.weekday;

export const isDeployed = (at: number, day: Day): boolean =>
  isDeployDay(day) && isAmong(at, day, DEPLOY.hours);

/** Who has come by the end of this day is known from then on. */
export const LEARNT_INDEX = 6;

/**
 * A service looks every five minutes. Looks at quiet times find nothing, so the past has those alone that began something, held on to it (a
 * rule that asks for a day of watching counts no hole of more than twenty minutes) or saw that it was over.
 */
const LOOKS: readonly (readonly [isOn: (day: Day) => boolean, hours: readonly number[]])[] = [
  [ago(QUIET.ago), [...everyTwentyMinutes(1, 8), 10]],
  [ago(GONE_AGO - 1), everyTwentyMinutes(0, 24)],
  [ago(GONE_AGO - 2), everyTwentyMinutes(0, 1)],
  [ago(SPIKE_AGO), [21]],
  [ago(SPIKE_AGO - 2), [12]],
  [isSurge, [20.5, 23.5]],
  [ago(EXPIRED.ago), Array.from({ length: 15 }, (_, index) => 9 + index)],
  [ago(EXPIRED.ago - 1), [EXPIRED.to + 0.25]],
  [isDeployDay, [16, 21]],
  [ago(FIRST_ENGINE_AGO), [21.5]],
  [ago(FIRST_BOT_AGO), [21.5]],
  [ago(2), [21]],
];

/** @returns epoch milliseconds, in order */
export const looksOf = (day: Day): readonly number[] =>
  LOOKS.flatMap(([isOn, hours]) => (isOn(day) ? hours : []))
    .map((hour) => day.start + Math.round(hour * HOUR_MS))
    .sort((a, b) => a - b);

function ago(its: number): (day: Day) => boolean {
  return (day) => day.ago === its;
}

/** `to` is outside. */
function everyTwentyMinutes(from: number, to: number): number[] {
  return Array.from({ length: (to - from) * 3 }, (_, index) => from + index / 3);
}
