/**
 * When the demo's past was looked at for alerts. A service looks every five minutes; looks at quiet times find nothing, so the past has those
 * alone that matter: the first that could see something, the one that saw most of it, the first after its end, and those between which
 * a rule that asks for a day of watching allows no hole. Which these are follows from the visits that the past is filled with.
 */
import type { ObservedHit } from '@ghostlight/core';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { MASKS, SURGE } from './crawlers.ts';
import type { Day } from './days.ts';
import {
  EXPIRED,
  FIRST_BOT,
  FIRST_ENGINE,
  GONE_AGO,
  isDeployDay,
  isSurge,
  QUIET,
  SPIKE,
} from './incidents.ts';

const EVERY_MS = 5 * MINUTE_MS;
/** From a visit to its row here. */
const ARRIVES_MS = 1_000;
/** A share of so few answers says nothing. */
const MIN_ANSWERS = 40;
/** A share of the least at which it is over. */
const RELEASE = 0.8;

type Hits = readonly ObservedHit[];
type IsOf = (hit: ObservedHit) => boolean;

/** What a rule would have watched on a day. */
interface Watched {
  readonly isOn: (day: Day) => boolean;
  /** Reaches back from a look; never before the day. */
  readonly withinMs: number;
  readonly figure: (hits: Hits) => number;
  /** From there on it is an alert, by the rules as they are delivered. */
  readonly least: number;
}

const IMPERSONATORS = new Set([SURGE.from, ...MASKS.map(([, from]) => from)].map(({ ip }) => ip));
const isSpoofed: IsOf = ({ ip }) => IMPERSONATORS.has(ip ?? '');
const isGenuine: IsOf = (hit) =>
  hit.sampleRate === null && hit.referrer === '' && hit.query.size === 0 && !isSpoofed(hit);
const isBot =
  (token: string): IsOf =>
  (hit) =>
    isGenuine(hit) && hit.userAgent.includes(`${token}/`);

const numberOf =
  (isMeant: IsOf) =>
  (hits: Hits): number =>
    hits.filter(isMeant).length;

function failingShare(hits: Hits): number {
  const answers = hits.filter(isGenuine);
  return answers.length < MIN_ANSWERS
    ? 0
    : answers.filter(({ status }) => status >= 400).length / answers.length;
}

const on =
  (its: number) =>
  ({ ago }: Day): boolean =>
    ago === its;

const WATCHED: readonly Watched[] = [
  { isOn: on(SPIKE.ago), withinMs: HOUR_MS, figure: numberOf(isBot(SPIKE.bot)), least: 100 },
  { isOn: on(SPIKE.ago), withinMs: DAY_MS, figure: numberOf(isBot(SPIKE.bot)), least: 500 },
  { isOn: isSurge, withinMs: HOUR_MS, figure: numberOf(isSpoofed), least: 100 },
  { isOn: isDeployDay, withinMs: 3 * HOUR_MS, figure: failingShare, least: 0.25 },
];

/** Who is news at the first visit. */
const NEWS: readonly { readonly isOn: Watched['isOn']; readonly isMeant: IsOf }[] = [
  { isOn: on(FIRST_BOT.ago), isMeant: isBot(FIRST_BOT.bot) },
  { isOn: on(FIRST_ENGINE.ago), isMeant: ({ referrer }) => referrer === FIRST_ENGINE.referrer },
];

/** Hours of days whose looks follow from no figure. */
const HELD: readonly (readonly [isOn: Watched['isOn'], hours: readonly number[]])[] = [
  // The last one of the first row is the last before its end.
  [on(QUIET.ago), [...everyTwentyMinutes(1, QUIET.hours.to), QUIET.hours.to, QUIET.hours.to + 0.25]],
  [on(GONE_AGO - 1), everyTwentyMinutes(0, 24)],
  [on(GONE_AGO - 2), everyTwentyMinutes(0, 1)],
  [on(SPIKE.ago - 1), [6, 12, 18]],
  [on(SPIKE.ago - 2), [0]],
  [on(EXPIRED.ago), Array.from({ length: 15 }, (_, index) => 9 + index)],
  [on(EXPIRED.ago - 1), [EXPIRED.to + 0.25]],
  [on(2), [21]],
];

/**
 * @param hitsOf the hits of the day, in the order of time; asked only on days that have something to see
 * @returns epoch milliseconds, in order, each once
 */
export function looksOf(day: Day, hitsOf: () => Hits): readonly number[] {
  const watched = WATCHED.filter(({ isOn }) => isOn(day));
  const news = NEWS.filter(({ isOn }) => isOn(day));
  const hits = watched.length + news.length === 0 ? [] : hitsOf();
  const looks = [
    ...HELD.flatMap(([isOn, hours]) => (isOn(day) ? hours : [])).map(
      (hour) => day.start + Math.round(hour * HOUR_MS),
    ),
    ...watched.flatMap((one) => looksAt(one, day, hits)),
    ...news.flatMap(({ isMeant }) => hits.filter(isMeant).slice(0, 1).map(lookAfter)),
  ];
  return [...new Set(looks)].sort((a, b) => a - b);
}

/** The first look that has the visit. */
const lookAfter = ({ at }: ObservedHit): number => Math.ceil((at + ARRIVES_MS) / EVERY_MS) * EVERY_MS;

/** The first look that finds it, the one that finds most, and the first that finds it over. */
function looksAt({ withinMs, figure, least }: Watched, { start }: Day, hits: Hits): number[] {
  const seen = Array.from({ length: DAY_MS / EVERY_MS }, (_, index) => {
    const look = start + (index + 1) * EVERY_MS;
    return { look, value: figure(hits.filter(({ at }) => at > look - withinMs && at + ARRIVES_MS <= look)) };
  });
  const began = seen.find(({ value }) => value >= least);
  if (began === undefined) return [];
  const most = seen.reduce((best, one) => (one.value > best.value ? one : best), began);
  const over = seen.find(({ look, value }) => look > most.look && value < least * RELEASE);
  return [began, most, ...(over === undefined ? [] : [over])].map(({ look }) => look);
}

/** `to` is outside. */
function everyTwentyMinutes(from: number, to: number): number[] {
  return Array.from({ length: (to - from) * 3 }, (_, index) => from + index / 3);
}
