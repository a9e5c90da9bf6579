import { expect, it } from 'vitest';
import { comparedDaysOf } from './compared-with.ts';
import { dateOf, dayOf } from './time-zone.ts';

const TODAY = dayOf('2026-11-22');
/** The last day that is compared, and the last of those that it is compared with. */
const ends = (from: string, to: string, compareFrom: string) => {
  const { now, before } = comparedDaysOf({ from: dayOf(from), to: dayOf(to) }, dayOf(compareFrom), TODAY);
  return [dateOf(dayOf(from) + now - 1), dateOf(dayOf(compareFrom) + before - 1)];
};

it.each([
  ['a year', '2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
  ['a quarter', '2026-07-01', '2026-09-30', '2026-04-01', '2026-06-30'],
  ['a month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['a month after a longer one', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
  ['February of a leap year', '2028-02-01', '2028-02-29', '2027-02-01', '2027-02-28'],
  ['a week', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
])('%s that is over is compared with a whole one', (_, from, to, compareFrom, end) => {
  const today = Math.max(TODAY, dayOf(to) + 1);
  const { now, before } = comparedDaysOf({ from: dayOf(from), to: dayOf(to) }, dayOf(compareFrom), today);
  expect([dateOf(dayOf(from) + now - 1), dateOf(dayOf(compareFrom) + before - 1)]).toEqual([to, end]);
});

it('what is not over, or begins within a unit, is compared with as many days', () => {
  expect(ends('2026-11-01', '2026-11-22', '2026-10-01')).toEqual(['2026-11-21', '2026-10-21']);
  expect(ends('2026-10-01', '2026-10-31', '2026-08-31')).toEqual(['2026-10-31', '2026-09-30']);
  expect(ends('2026-10-02', '2026-10-30', '2026-09-03')).toEqual(['2026-10-30', '2026-10-01']);
});

it('a day is never compared with itself, nor one that is not over', () => {
  expect(ends('2026-03-01', '2026-03-20', '2026-02-22')).toEqual(['2026-03-07', '2026-02-28']);
  expect(comparedDaysOf({ from: TODAY, to: TODAY }, TODAY - 1, TODAY)).toEqual({ now: 0, before: 0 });
});
