/**
 * The counts of the last thirty minutes: those of the service, plus rows that arrived since. The list is not counted, because
 * it holds a bounded number of rows.
 */
import { MINUTE_MS } from '@ghostlight/core/time';
import type { LiveSummaryAnswer } from '../../api/types.ts';
import { counted } from '../../format/names.ts';
import { instant } from '../../format/time.ts';
import type { LiveRow } from './buffer.ts';
import type { CountedClass } from './search.ts';

export const MINUTES = 30;

export type ClassCounts = Readonly<Record<CountedClass, number>>;

export interface Minute {
  /** Its start, epoch milliseconds. */
  readonly at: number;
  readonly counts: ClassCounts;
  /** Of its AI bots. */
  readonly spoofed: number;
}

export interface LiveSummary {
  /** Earlier visits are not counted; epoch milliseconds. */
  readonly since: number;
  readonly total: ClassCounts;
  /** Oldest minute first; `MINUTES` long. */
  readonly minutes: readonly Minute[];
  readonly spoofed: number;
}

/**
 * Adds the rows that arrived after the answer was counted, according to the service's time, so that none is counted twice.
 * A row that was accepted but not yet stored at that moment is missing until the next answer.
 */
export function summarize(answer: LiveSummaryAnswer, rows: readonly LiveRow[]): LiveSummary {
  const to = instant(answer.to) ?? Number.POSITIVE_INFINITY;
  const since = instant(answer.from) ?? 0;
  const { spoofed: spoofedThen, ...totals } = answer.totals;
  const total = { ...totals };
  let spoofed = spoofedThen;
  const byMinute = new Map(
    answer.minutes.map(({ at, spoofed, ...counts }) => [
      instant(at) ?? 0,
      { counts: { ...counts }, spoofed },
    ]),
  );
  for (const { item, arrived } of rows) {
    if (arrived <= to || item.class === 'test') continue;
    // By its own time, as the service counts: an import brings visits of last month now.
    const own = Math.min(instant(item.at) ?? arrived, arrived);
    if (own <= since) continue;
    const at = Math.floor(own / MINUTE_MS) * MINUTE_MS;
    const minute = byMinute.get(at) ?? none();
    const isSpoofed = item.class === 'ai_bot' && item.verified === false ? 1 : 0;
    minute.counts[item.class] += 1;
    minute.spoofed += isSpoofed;
    byMinute.set(at, minute);
    total[item.class] += 1;
    spoofed += isSpoofed;
  }
  const last = Math.max(...byMinute.keys());
  const minutes = Array.from({ length: MINUTES }, (_, index) => {
    const at = last - (MINUTES - 1 - index) * MINUTE_MS;
    return { at, ...(byMinute.get(at) ?? none()) };
  });
  return { since, total, minutes, spoofed };
}

export function sum(counts: ClassCounts): number {
  return counts.ai_bot + counts.ai_referral + counts.sample + counts.search_engine + counts.event;
}

/** Below this many rows a list can't be cut: every answer has up to this many of each class. */
const SURELY_WHOLE = 500;

/**
 * The count of the list, as text. A cut list says so. `there` may lag by some seconds, so a list which
 * can't be cut counts itself. Tests and browser events are listed, and no visits: they are counted apart.
 */
export function listCount(list: {
  shown: number;
  held: number;
  waiting: number;
  there: number;
  /** Test visits among the held. */
  tests: number;
  /** Browser events among the held. */
  events: number;
  filtered: boolean;
}): string {
  const { shown, held, waiting, there, tests, events, filtered } = list;
  const cut = held >= SURELY_WHOLE && there > held + waiting;
  const number = (count: number) => count.toLocaleString('en');
  const rows = events === 0 ? 'visit' : 'row';
  if (filtered) return `${number(shown)} of ${cut ? 'the newest ' : ''}${counted(held, rows)}`;
  if (cut) {
    const apart = tests === 0 ? '' : ` and ${counted(tests, 'test')}`;
    return `Newest ${number(held - tests)} of ${counted(there, rows)}${apart}`;
  }
  const visits = counted(held - tests - events, 'visit');
  const apart = [
    ...(events === 0 ? [] : [counted(events, 'browser event')]),
    ...(tests === 0 ? [] : [counted(tests, 'test')]),
  ];
  return [[visits, ...apart.slice(0, -1)].join(', '), ...apart.slice(-1)].join(' and ');
}

function none(): { counts: Record<CountedClass, number>; spoofed: number } {
  return { counts: { ai_bot: 0, ai_referral: 0, sample: 0, search_engine: 0, event: 0 }, spoofed: 0 };
}
