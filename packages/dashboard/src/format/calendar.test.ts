import { describe, expect, it } from 'vitest';
import { dayAfter, dayOfTyped, daysBetween, monthAfter, monthLabel, typedOf, weeksOf } from './calendar.ts';

describe('a month', () => {
  it('has its days in weeks from Monday to Sunday', () => {
    // 1 November 2026 is a Sunday.
    const weeks = weeksOf('2026-11');
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
    expect(weeks.at(-1)).toEqual(['2026-11-30', null, null, null, null, null, null]);
    expect(weeksOf('2027-02')).toHaveLength(4);
    expect(weeksOf('2024-02').flat().filter(Boolean)).toHaveLength(29);
  });

  it('follows another, over the end of a year', () => {
    expect([monthAfter('2026-12'), monthAfter('2026-01', -1), monthLabel('2026-11')]).toEqual([
      '2027-01',
      '2025-12',
      'November 2026',
    ]);
  });
});

describe('a day', () => {
  it('is counted with the other end of its range, also over a change of clocks', () => {
    expect([daysBetween('2026-10-25', '2026-11-23'), daysBetween('2026-03-29', '2026-03-29')]).toEqual([
      30, 1,
    ]);
    expect(dayAfter('2026-02-28')).toBe('2026-03-01');
  });

  it.each([
    ['2026-11-23', '2026-11-23'],
    [' 2026-1-3 ', '2026-01-03'],
    ['23 Nov 2026', '2026-11-23'],
    ['3 september 2026', '2026-09-03'],
    ['25 Sept 2026', '2026-09-25'],
    ['31 Feb 2026', null],
    ['11/23/2026', null],
    ['23 Nev 2026', null],
    ['', null],
  ])('is read as it is typed: %j', (text, day) => {
    expect(dayOfTyped(text)).toBe(day);
  });

  it('is read as its field shows it, in every month', () => {
    for (let month = '2026-01'; month < '2027-01'; month = monthAfter(month))
      expect(dayOfTyped(typedOf(`${month}-09`))).toBe(`${month}-09`);
  });
});
