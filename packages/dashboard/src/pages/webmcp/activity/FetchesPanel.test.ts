import { expect, it } from 'vitest';
import { pointsOf } from './FetchesPanel.tsx';

it('draws the days of the answer, in the property’s zone', () => {
  const days = pointsOf([
    { day: '2026-02-28', fetches: 4 },
    { day: '2026-03-01', fetches: 0 },
  ]);
  expect(days).toEqual([
    { day: '2026-02-28', partial: false, values: { fetches: 4 } },
    { day: '2026-03-01', partial: true, values: { fetches: 0 } },
  ]);
});
