import { expect, it } from 'vitest';
import { gapless } from './days.ts';

const NOW = Date.parse('2026-03-01T23:59:59Z');

it('fills days without a fetch, and ends with today in UTC', () => {
  const days = gapless(
    [
      { day: '2026-02-27', fetches: 4 },
      { day: '2025-01-01', fetches: 9 },
    ],
    4,
    NOW,
  );
  expect(days.map(({ day, partial, values }) => [day, partial, values])).toEqual([
    ['2026-02-26', false, { fetches: 0 }],
    ['2026-02-27', false, { fetches: 4 }],
    ['2026-02-28', false, { fetches: 0 }],
    ['2026-03-01', true, { fetches: 0 }],
  ]);
});
