import { expect, it } from 'vitest';
import { daysIn } from '../common/index.ts';
import type { TrafficHour } from '../warehouse/index.ts';
import { figuresOf, gridOf, HISTORY_DAYS } from './history.ts';

const HOUR = 3_600_000;
/** Half past twelve; today lasts eleven and a half hours more. */
const NOW = Date.UTC(2026, 10, 22, 12, 30);
const END = Date.UTC(2026, 10, 23);
const days = daysIn('UTC');
const grid = gridOf(days, days.dayAt(NOW), END, NOW);
/** Hours are counted back from the end of today. */
const hourOf = (daysAgo: number, hour: number) => daysAgo * 24 + 23 - hour;

const row = (daysAgo: number, hour: number, more: Partial<TrafficHour> = {}): TrafficHour => ({
  hour: hourOf(daysAgo, hour),
  class: 'ai_bot',
  name: 'GPTBot',
  ...{ visits: 1, spoofed: 0, answered: 0, failed: 0 },
  received_at: END - (hourOf(daysAgo, hour) + 0.5) * HOUR,
  ...more,
});
const daily = (from: number, to: number, more: Partial<TrafficHour> = {}) =>
  Array.from({ length: from - to + 1 }, (_, index) => row(from - index, 9, more));
const figures = (rows: readonly TrafficHour[], known: readonly string[] = []) =>
  figuresOf(rows, grid, new Set(known));

it('a new bot counts on its first day, unless it came before all that is looked at', () => {
  const rows = [row(3, 9, { visits: 5 }), row(3, 11, { visits: 2 }), row(2, 9, { visits: 90 })];
  expect(figures(rows).new_bot.slice(0, 5)).toEqual([0, 0, 0, 7, 0]);
  expect(figures(rows, ['bot GPTBot']).new_bot.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
  const people = [row(1, 9, { class: 'ai_referral', name: 'ChatGPT', visits: 3 })];
  expect(figures(people).ai_referral_first.slice(0, 3)).toEqual([0, 3, 0]);
  // A bot whose name alone was used has not come.
  expect(figures([row(1, 9, { visits: 0, spoofed: 9 })]).new_bot[1]).toBe(0);
});

it('a spike is so many times the busy hours or days of the two weeks before', () => {
  const usual = daily(43, 2, { visits: 200 });
  const { spike } = figures([...usual, row(1, 9, { visits: 600 })]);
  expect(spike.slice(0, 4)).toEqual([0, 3, 1, 1]);
  // Only four days before: nothing is usual yet.
  expect(figures([...daily(5, 2, { visits: 200 }), row(1, 9, { visits: 900 })]).spike[1]).toBeNull();
});

it('a bot that came daily and stays away counts with its usual day, on days that are over', () => {
  const { drop_to_zero: gone } = figures(daily(43, 3, { visits: 40 }));
  expect(gone.slice(0, 5)).toEqual([null, 40, 40, 0, 0]);
});

it('spoofed visits are those of the day’s worst hour, of all bots together', () => {
  const rows = [
    row(1, 3, { spoofed: 30 }),
    row(1, 3, { name: 'ClaudeBot', spoofed: 25 }),
    row(1, 4, { spoofed: 40 }),
  ];
  expect(figures(rows).spoof_surge.slice(0, 3)).toEqual([0, 55, 0]);
});

it('errors are the worst three hours with at least forty answers', () => {
  const rows = [
    row(1, 3, { answered: 30, failed: 30 }),
    row(1, 5, { answered: 30, failed: 0 }),
    row(2, 9, { answered: 39, failed: 39 }),
  ];
  const { bot_errors: errors } = figures(rows);
  expect(errors.slice(0, 3)).toEqual([null, 50, null]);
});

it('silence is counted over midnight, up to the present hour and not beyond, from the first visit on', () => {
  const { collector_quiet: quiet } = figures([row(2, 20), row(0, 10)]);
  // From 21 o'clock the day before yesterday to 10 o'clock today; the hour after that is over, the present one is not.
  expect(quiet.slice(0, 4)).toEqual([37, 27, 3, null]);
});

it('every kind has a figure for each of thirty days', () => {
  for (const values of Object.values(figures([]))) expect(values).toHaveLength(HISTORY_DAYS);
});

it('on a day of a change of clocks an hour is of the day that a clock shows', () => {
  const berlin = daysIn('Europe/Berlin');
  const end = Date.UTC(2026, 9, 26, 23);
  const of = gridOf(berlin, berlin.dayAt(end - 1), end, end - 1);
  // Today has 24 hours, yesterday 25.
  expect([of.placeOf[23], of.placeOf[24], of.placeOf[48], of.placeOf[49]]).toEqual([0, 1, 1, 2]);
});
