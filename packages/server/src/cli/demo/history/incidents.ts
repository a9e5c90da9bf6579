/** Anomalies in the demo's past: an example of each kind of alert, found by the real rules at the looks of `looks.ts`. */
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
export const QUIET = { ago: 47, hours: { from: 1.25, to: 9 } };
/** The last day of a bot that had come daily for weeks. */
export const GONE_AGO = 40;
/** On one day a crawler read the whole shop several times over. */
export const SPIKE = { ago: 33, bot: 'ClaudeBot' };
/** On these evenings an impersonator crawled the whole shop, from one network. */
const SURGE: Span = { from: 20, to: 17 };
/** Help articles moved to another host, without redirects. */
export const RENAMED_AGO = 19;
/** The token of a platform had expired: from this hour of the day until one of the next, when the alert had been read. */
export const EXPIRED = { ago: 12, from: 7, to: 9.25 };
/** A deploy that was taken back in the evening; on a Wednesday. */
const DEPLOY = { span: { from: 10, to: 4 }, weekday: 3, hours: { from: 13, to: 17.5 } };
/** Since then an engine sends people, and a bot comes that never had. */
export const FIRST_ENGINE = { ago: 6, referrer: 'https://grok.com/' };
export const FIRST_BOT = { ago: 4, bot: 'MistralAI-User' };

const isWithin = ({ ago }: Day, { from, to }: Span): boolean => ago <= from && ago >= to;
const isAmong = (at: number, { start }: Day, { from, to }: Hours): boolean =>
  at >= start + from * HOUR_MS && at < start + to * HOUR_MS;

export const isQuiet = (at: number, day: Day): boolean =>
  day.ago === QUIET.ago && isAmong(at, day, QUIET.hours);

export const isSurge = (day: Day): boolean => isWithin(day, SURGE);
/**
 * The second evening is a day and an hour after the first, so that it is an alert of its own. What came on two evenings is usual: the others
 * have less than would be news.
 */
export const surgeOf = ({ ago }: Day): { readonly share: number; readonly laterMs: number } => ({
  share: ago >= SURGE.from - 1 ? 1 : 0.7,
  laterMs: ago === SURGE.from ? 0 : HOUR_MS,
});

export const isDeployDay = (day: Day): boolean =>
  isWithin(day, DEPLOY.span) && new Date(day.start).getUTCDay() === DEPLOY.weekday;

export const isDeployed = (at: number, day: Day): boolean =>
  isDeployDay(day) && isAmong(at, day, DEPLOY.hours);

/** Who has come by the end of this day is known from then on. */
export const LEARNT_INDEX = 6;
