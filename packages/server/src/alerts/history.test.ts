import { expect, it } from 'vitest';
import { daysIn } from '../common/index.ts';
import type { TrafficHour } from '../warehouse/index.ts';
import { figuresOf, gridOf, HISTORY_DAYS, type Known } from './history.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
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
const KNOWN: Known = {
  seen: new Map(),
  firstVisitAt: END - 44 * DAY,
  closed: [],
  kept: { bots: 400, engines: 400, all: 400 },
  cut: 44,
};
const figures = (rows: readonly TrafficHour[], known: Partial<Known> = {}) =>
  figuresOf(rows, grid, { ...KNOWN, ...known });

it('a new bot counts on its first day, unless it came before all that is looked at', () => {
  const rows = [row(3, 9, { visits: 5 }), row(3, 11, { visits: 2 }), row(2, 9, { visits: 90 })];
  expect(figures(rows).new_bot.slice(0, 5)).toEqual([0, 0, 0, 7, 0]);
  expect(figures(rows, { seen: new Map([['bot GPTBot', END - 41 * DAY]]) }).new_bot.slice(0, 5)).toEqual([
    0, 0, 0, 0, 0,
  ]);
  const people = [row(1, 9, { class: 'ai_referral', name: 'ChatGPT', visits: 3 })];
  expect(figures(people).ai_referral_first.slice(0, 3)).toEqual([0, 3, 0]);
  // A bot whose name alone was used has not come.
  expect(figures([row(1, 9, { visits: 0, spoofed: 9 })]).new_bot[1]).toBe(0);
});

it('a bot is new when the rules noted it, also where its first visits are deleted', () => {
  const noted = (at: number) => ({ seen: new Map([['bot GPTBot', at]]) });
  expect(figures([row(3, 9, { visits: 5 })], noted(NOW - 20 * DAY)).new_bot[3]).toBe(0);
  // Noted five minutes after midnight, for what came before.
  const { new_bot: late } = figures([row(3, 23, { visits: 4 })], noted(END - 3 * DAY + HOUR / 12));
  expect(late.slice(1, 4)).toEqual([0, 4, 0]);
  // All that comes within a day of the first visit is known from then on.
  const first = { firstVisitAt: END - 4 * DAY + 9 * HOUR };
  expect(figures([row(3, 9, { visits: 5 })], first).new_bot[3]).toBe(0);
});

it('days before the first visit, and days of which hits are deleted or were not read, are unknown', () => {
  const rows = daily(43, 0, { visits: 200 });
  const young = figures(daily(2, 0), { firstVisitAt: null });
  expect(young.spoof_surge.slice(1, 5)).toEqual([0, 0, 'unknown', 'unknown']);
  const short = figures(rows, { kept: { bots: 7, engines: 7, all: 7 } });
  expect(short.spoof_surge.slice(5, 9)).toEqual([0, 0, 'unknown', 'unknown']);
  // Today is compared with what is there; yesterday was compared with more.
  expect(short.spike.slice(0, 3)).toEqual([1, 'unknown', 'unknown']);
  const cut = figures(rows, { cut: 20 });
  expect(cut.spoof_surge.slice(19, 21)).toEqual([0, 'unknown']);
  expect(cut.spike.slice(5, 7)).toEqual([1, 'unknown']);
});

it('hours in which all visits were dropped are no silence, and not part of what is usual', () => {
  const yesterday = { closed: [{ from: END - 2 * DAY, to: END - DAY }] };
  expect(figures([row(2, 20), row(0, 10)], yesterday).collector_quiet.slice(0, 3)).toEqual([10, 0, 3]);
  expect(figures(daily(43, 3, { visits: 40 }), yesterday).drop_to_zero[1]).toBe('unknown');
  // Four whole days of the fourteen are left.
  const most = { closed: [{ from: END - 16 * DAY, to: END - 6 * DAY }] };
  expect(figures([...daily(43, 2, { visits: 200 }), row(1, 9, { visits: 600 })], most).spike[1]).toBeNull();
});

it('a spike is so many times the busy hours or days of the two weeks before', () => {
  const usual = daily(43, 2, { visits: 200 });
  const { spike } = figures([...usual, row(1, 9, { visits: 600 })]);
  expect(spike.slice(0, 4)).toEqual([0, 3, 1, 1]);
  // Only four days before: nothing is usual yet.
  expect(figures([...daily(5, 2, { visits: 200 }), row(1, 9, { visits: 900 })]).spike[1]).toBeNull();
});

it('a bot that came daily and stays away counts with its usual day, on days that are over', () => {
  const bot = daily(43, 3, { visits: 40 });
  const others = daily(43, 0, { class: 'search_engine', name: '' });
  expect(figures([...bot, ...others]).drop_to_zero.slice(0, 5)).toEqual([null, 40, 40, 0, 0]);
  // Nothing at all came: the cause is not the bot.
  expect(figures(bot).drop_to_zero.slice(0, 3)).toEqual([null, null, null]);
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
