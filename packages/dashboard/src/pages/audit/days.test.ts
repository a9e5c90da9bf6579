import { expect, it } from 'vitest';
import { rangeLabel } from '../../format/period.ts';
import { dayStart, daysLabel } from './days.ts';

it('names the days that the log is filtered by', () => {
  const [from, to] = ['2026-11-04', '2026-11-10'];
  expect(daysLabel({})).toBe('Any time');
  expect(daysLabel({ from, to })).toBe(rangeLabel({ from, to }));
  expect(daysLabel({ from })).toBe('From 4 Nov 2026');
  expect(daysLabel({ to })).toBe('Until 10 Nov 2026');
});

it('begins a day at the reader’s midnight, and ends it with the next one', () => {
  expect(dayStart('2026-11-04')).toBe(new Date(2026, 10, 4).toISOString());
  expect(dayStart('2026-11-30', 1)).toBe(new Date(2026, 11, 1).toISOString());
});
