import { expect, it } from 'vitest';
import { dayLabel } from './day.ts';

it('names a day the same in every zone', () => {
  expect(dayLabel('2026-02-26')).toBe('26 Feb');
});
