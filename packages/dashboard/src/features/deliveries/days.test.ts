import { expect, it } from 'vitest';
import type { ReportDay } from './api.ts';
import { pointsOf } from './days.ts';

const day = (name: string, delivered: number): ReportDay => ({
  day: name,
  received: delivered + 1,
  matched: delivered,
  destinations: [
    {
      destination: 'dst_1',
      platform: 'meta',
      created: delivered,
      delivered,
      accepted: 0,
      waiting: 0,
      dead: 0,
      unknown: 0,
      skipped: {},
    },
    {
      destination: 'dst_2',
      platform: 'snap',
      created: 9,
      delivered: 9,
      accepted: 0,
      waiting: 0,
      dead: 0,
      unknown: 0,
      skipped: {},
    },
  ],
});

it('has a point for every day of the period, for one destination', () => {
  const points = pointsOf([day('2026-11-20', 3)], 'dst_1', { from: '2026-11-19', days: 3 }, '2026-11-21');
  expect(
    points.map(({ day: name, partial, values }) => [name, partial, values.delivered, values.received]),
  ).toEqual([
    ['2026-11-19', false, 0, 0],
    ['2026-11-20', false, 3, 4],
    ['2026-11-21', true, 0, 0],
  ]);
});
