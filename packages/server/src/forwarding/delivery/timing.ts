/** When something is tried again, and when no more. Pure: times in epoch ms, spans in ms. */
import type { HttpResponse } from '../../destinations/index.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const FIRST_MS = 5 * SECOND;
const LONGEST_MS = 15 * MINUTE;
/** What a server may ask for: less would be hammering, more is a mistake of its own. */
const RETRY_AFTER = { least: SECOND, most: HOUR } as const;
/** The same for what a platform's body says: some ask to come back after hours. */
const AFTER = { least: SECOND, most: DAY } as const;
/** From the first attempt: what has failed for a day is for a person to look at. */
const GIVE_UP_MS = DAY;

/** Requests that fail in a row before the destination is left alone. */
export const OPEN_AFTER = 5;
const OPEN_MS = 30 * SECOND;

/** `min(15 min, 5 s · 2^n)`, of which a random half is taken off so that what failed together does not return together.
 * @param n attempts that failed before this one. @param random 0 to 1 */
export function backOffMs(n: number, random: number): number {
  return Math.round(Math.min(LONGEST_MS, FIRST_MS * 2 ** n) * (0.5 + random / 2));
}

/** How long the breaker stays open after so many failures in a row; null: it is closed. */
export function openMs(failures: number): number | null {
  return failures < OPEN_AFTER ? null : Math.min(LONGEST_MS, OPEN_MS * 2 ** (failures - OPEN_AFTER));
}

/** Seconds or an HTTP date, within [1 s, 1 h]; null when there is none that can be read. */
export function retryAfterMs({ headers }: Pick<HttpResponse, 'headers'>, now: number): number | null {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return within(RETRY_AFTER, Number(value) * SECOND);
  // Weekday first, as all three forms of HTTP dates have it: `Date.parse` alone takes much else for a date.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : within(RETRY_AFTER, date - now);
}

/** How long a destination waits that has asked for fewer requests. */
export function throttleMs(
  verdict: { readonly scope: 'minute' | 'day'; readonly afterMs?: number },
  asked: number | null,
  now: number,
): number {
  if (verdict.afterMs !== undefined) return within(AFTER, verdict.afterMs);
  if (verdict.scope === 'minute') return asked ?? MINUTE;
  // The answer doesn't say when the day ends there: the next one of ours, where the next answer will say more.
  return within(AFTER, DAY - (now % DAY));
}

/** What a verdict asks for, in bounds. */
export const askedMs = (afterMs: number | undefined): number | null =>
  afterMs === undefined ? null : within(AFTER, afterMs);

/**
 * From when on a delivery is dead instead of tried again.
 * @param since first attempt, or the last change of the destination by a person if that is later: time spent paused is not the event's fault
 */
export function giveUpAt(since: number, occurredAt: number, maxAgeMs: number | null): number {
  return Math.min(since + GIVE_UP_MS, maxAgeMs === null ? Number.POSITIVE_INFINITY : occurredAt + maxAgeMs);
}

const within = ({ least, most }: { least: number; most: number }, ms: number): number =>
  Math.min(most, Math.max(least, ms));
