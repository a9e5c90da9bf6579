import { expect, it } from 'vitest';
import { rangeLabel } from '../../format/period.ts';
import { daysLabel } from './days.ts';

it('names the days that the log is filtered by, and their zone', () => {
  const [from, to] = ['2026-11-04', '2026-11-10'];
  expect(daysLabel({})).toBe('Days: all');
  expect(daysLabel({ from, to })).toBe(`${rangeLabel({ from, to })}, UTC`);
  expect(daysLabel({ from })).toBe('From 4 Nov 2026, UTC');
  expect(daysLabel({ to })).toBe('Until 10 Nov 2026, UTC');
});
