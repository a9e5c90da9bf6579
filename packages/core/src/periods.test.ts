import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparedFrom,
  daysOfPeriod,
  endOfUnit,
  PERIOD_NAMES,
  type PeriodName,
  startOfUnit,
  unitBeginningAt,
  unitOfName,
  unitOfRange,
} from './periods.ts';
import { DAY_MS } from './time.ts';

const day = (date: string): number => Date.parse(date) / DAY_MS;
const date = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
/** A Sunday. */
const TODAY = day('2026-11-22');
const days = (name: PeriodName, today = TODAY) => {
  const { from, to } = daysOfPeriod(name, today);
  return [date(from), date(to)];
};

it.each([
  ['today', '2026-11-22', '2026-11-22'],
  ['yesterday', '2026-11-21', '2026-11-21'],
  ['last_7_days', '2026-11-16', '2026-11-22'],
  ['last_30_days', '2026-10-24', '2026-11-22'],
  ['last_365_days', '2025-11-23', '2026-11-22'],
  ['this_week', '2026-11-16', '2026-11-22'],
  ['last_week', '2026-11-09', '2026-11-15'],
  ['this_month', '2026-11-01', '2026-11-22'],
  ['last_month', '2026-10-01', '2026-10-31'],
  ['this_quarter', '2026-10-01', '2026-11-22'],
  ['last_quarter', '2026-07-01', '2026-09-30'],
  ['this_year', '2026-01-01', '2026-11-22'],
  ['last_year', '2025-01-01', '2025-12-31'],
] as const)('%s is %s to %s', (name, from, to) => {
  expect(days(name)).toEqual([from, to]);
});

it('a week begins on Monday, also before 1970', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), (number) => {
      const start = startOfUnit(number, 'week');
      expect(new Date(start * DAY_MS).getUTCDay()).toBe(1);
      expect(number - start).toBeLessThan(7);
      expect(number).toBeGreaterThanOrEqual(start);
    }),
  );
});

it('a unit ends before the next one begins, in leap years too', () => {
  expect([day('2024-02-01'), day('2025-02-01')].map((first) => date(endOfUnit(first, 'month')))).toEqual([
    '2024-02-29',
    '2025-02-28',
  ]);
  expect(unitBeginningAt(day('2024-01-01'), 'year')).toEqual({
    from: day('2024-01-01'),
    to: day('2024-12-31'),
  });
  expect(unitBeginningAt(day('2024-01-02'), 'year')).toBeNull();
});

describe('what a period is compared with', () => {
  const from = (first: string, last: string, kind: 'previous' | 'year') => {
    const range = { from: day(first), to: day(last) };
    return date(comparedFrom(range, kind, unitOfRange(range)));
  };

  it('is the unit of the calendar before, or as many days', () => {
    expect(from('2026-10-01', '2026-10-31', 'previous')).toBe('2026-09-01');
    expect(from('2026-07-01', '2026-09-30', 'previous')).toBe('2026-04-01');
    expect(from('2025-01-01', '2025-12-31', 'previous')).toBe('2024-01-01');
    expect(from('2026-10-02', '2026-10-31', 'previous')).toBe('2026-09-02');
    expect(date(comparedFrom(daysOfPeriod('this_month', TODAY), 'previous', 'month'))).toBe('2026-10-01');
  });

  it('is the same day of the year before, which 29 February has not', () => {
    expect(from('2026-10-01', '2026-10-31', 'year')).toBe('2025-10-01');
    expect(from('2028-02-29', '2028-02-29', 'year')).toBe('2027-02-28');
    // Beyond it, as many days end one date later: 6 March.
    expect(from('2028-02-20', '2028-03-05', 'year')).toBe('2027-02-20');
  });

  it('begins before the period, whatever its name and whatever day it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PERIOD_NAMES),
        fc.constantFrom('previous', 'year'),
        fc.integer({ min: 10_000, max: 40_000 }),
        (name, kind, today) => {
          const range = daysOfPeriod(name, today);
          expect(range.to).toBeGreaterThanOrEqual(range.from);
          expect(range.to).toBeLessThanOrEqual(today);
          expect(comparedFrom(range, kind, unitOfName(name))).toBeLessThan(range.from);
        },
      ),
    );
  });
});
