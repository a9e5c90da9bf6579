/** What the last 24 hours brought, by bot: rolling, to the moment of the look. */
import { sum } from '../common/index.ts';
import type { TrafficHour } from '../warehouse/index.ts';
import { silences } from './baseline.ts';

export interface RecentBot {
  /** Visits, spoofed ones not among them. */
  readonly hour: number;
  readonly day: number;
}

export interface Recent {
  readonly bots: ReadonlyMap<string, RecentBot>;
  /** Visits by engine within the day. */
  readonly engines: ReadonlyMap<string, number>;
  /** Of the last hour, and whom they pretended to be, most first. */
  readonly spoofed: { readonly hour: number; readonly claimed: readonly string[] };
  /** Answers to AI bots in the last three hours. */
  readonly answers: { readonly answered: number; readonly failed: number; readonly worst: string | null };
  /** Hours in a row without anything, the longest of the 24. */
  readonly silence: number;
  /** Epoch ms; 0: nothing came. */
  readonly lastReceivedAt: number;
}

const DAY_HOURS = 24;
export const ERROR_HOURS = 3;

/** @param rows their hour counts from now; what lies before the last 24 only tells when something was last received */
export function recentOf(rows: readonly TrafficHour[]): Recent {
  const today = rows.filter(({ hour }) => hour < DAY_HOURS);
  const aiBots = today.filter((row) => row.class === 'ai_bot');
  const byName = (from: readonly TrafficHour[]) => Map.groupBy(from, ({ name }) => name);
  const mostBy = (from: readonly TrafficHour[], of: (row: TrafficHour) => number): string[] =>
    [...byName(from)]
      .map(([name, own]) => [name, sum(own, of)] as const)
      .filter(([, count]) => count > 0)
      .sort((a, b) => b[1] - a[1])
      .map(([name]) => name);
  const newest = aiBots.filter(({ hour }) => hour === 0);
  const present = new Set(today.map(({ hour }) => hour));
  const lately = aiBots.filter(({ hour }) => hour < ERROR_HOURS);
  return {
    bots: new Map(
      [...byName(aiBots)].map(([name, own]) => [
        name,
        {
          hour: sum(
            own.filter(({ hour }) => hour === 0),
            ({ visits }) => visits,
          ),
          day: sum(own, ({ visits }) => visits),
        },
      ]),
    ),
    engines: new Map(
      [...byName(today.filter((row) => row.class === 'ai_referral'))].map(([name, own]) => [
        name,
        sum(own, ({ visits }) => visits),
      ]),
    ),
    spoofed: {
      hour: sum(newest, ({ spoofed }) => spoofed),
      claimed: mostBy(newest, ({ spoofed }) => spoofed),
    },
    answers: {
      answered: sum(lately, ({ answered }) => answered),
      failed: sum(lately, ({ failed }) => failed),
      worst: mostBy(lately, ({ failed }) => failed)[0] ?? null,
    },
    silence: Math.max(
      0,
      ...silences(Array.from({ length: DAY_HOURS }, (_, hour) => (present.has(hour) ? 1 : 0))),
    ),
    lastReceivedAt: rows.reduce((last, row) => Math.max(last, row.received_at), 0),
  };
}
