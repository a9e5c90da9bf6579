/** The last thirty minutes in numbers: hits per class, and per class and minute for the strip of bars. */
import type { HitClass } from '../api/types.ts';
import type { LiveRow } from './buffer.ts';

export const MINUTES = 30;
const MINUTE_MS = 60_000;

export type ClassCounts = Readonly<Record<HitClass, number>>;

export interface LiveSummary {
  readonly total: ClassCounts;
  /** Oldest minute first; always `MINUTES` long. */
  readonly minutes: readonly ClassCounts[];
  readonly spoofed: number;
}

export function summarize(rows: readonly LiveRow[], now: number): LiveSummary {
  const total = none();
  const minutes = Array.from({ length: MINUTES }, none);
  let spoofed = 0;
  for (const { item, arrived } of rows) {
    const age = Math.max(0, Math.floor((now - arrived) / MINUTE_MS));
    const minute = minutes[MINUTES - 1 - age];
    if (minute === undefined) continue;
    minute[item.class] += 1;
    total[item.class] += 1;
    if (item.class === 'ai_bot' && item.verified === false) spoofed += 1;
  }
  return { total, minutes, spoofed };
}

export function sum(counts: ClassCounts): number {
  return counts.ai_bot + counts.ai_referral + counts.sample + counts.event;
}

function none(): Record<HitClass, number> {
  return { ai_bot: 0, ai_referral: 0, sample: 0, event: 0 };
}
