import { describe, expect, it } from 'vitest';
import {
  ago,
  clock,
  dateTime,
  dayLabel,
  exactTime,
  instant,
  shortDateTime,
  timeOfDay,
  utc,
  weekdayLabel,
} from './time.ts';

const AT = Date.UTC(2026, 10, 21, 23, 3, 7, 45);

describe('times', () => {
  it('are read from ISO strings and epoch milliseconds alike', () => {
    expect(instant('2026-11-21T23:03:07.045Z')).toBe(AT);
    expect(instant(AT)).toBe(AT);
  });

  it('are null when there is no time', () => {
    for (const value of [null, undefined, '', 'yesterday', Number.NaN]) expect(instant(value)).toBeNull();
  });

  it("are shown in the reader's zone, with UTC beside them", () => {
    expect(clock(AT, 'Asia/Kolkata')).toBe('04:33:07');
    expect(dateTime(AT, 'Asia/Kolkata')).toBe('22 Nov 2026, 04:33');
    expect(shortDateTime(AT, AT, 'Asia/Kolkata')).toBe('22 Nov, 04:33');
    expect(timeOfDay(AT, 'Asia/Kolkata')).toBe('04:33');
    expect(utc(AT)).toBe('2026-11-21 23:03:07.045 UTC');
    expect(exactTime(AT)).toBe('21 Nov 2026, 23:03:07.045');
  });

  it('have their year where it is not the current one of the zone', () => {
    const newYear = Date.UTC(2026, 11, 31, 23, 30);
    expect(shortDateTime(newYear, newYear, 'UTC')).toBe('31 Dec, 23:30');
    expect(shortDateTime(newYear, newYear + 3_600_000, 'UTC')).toBe('31 Dec 2026, 23:30');
    expect(shortDateTime(newYear, newYear + 3_600_000, 'Europe/Berlin')).toBe('1 Jan, 00:30');
  });

  it.each([
    [0, 'just now'],
    [4_000, 'just now'],
    [12_000, '12 seconds ago'],
    [60_000, '1 minute ago'],
    [3_599_000, '59 minutes ago'],
    [7_200_000, '2 hours ago'],
    [172_800_000, '2 days ago'],
  ])('say how long ago %i ms is: %s', (distance, sentence) => {
    expect(ago(AT - distance, AT)).toBe(sentence);
  });
});

it('names a day the same in every zone', () => {
  expect(dayLabel('2026-02-26')).toBe('26 Feb');
  expect(weekdayLabel('2026-02-26')).toBe('Thu 26 Feb');
});
