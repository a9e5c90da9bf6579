import { expect, it } from 'vitest';
import type { ReportDay } from '../types.ts';
import { barsOf } from './days.ts';

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

it('has a bar for every day of the period, of one destination alone', () => {
  const { step, bars } = barsOf([day('2026-11-20', 3)], 'dst_1', {
    from: '2026-11-19',
    to: '2026-11-21',
    days: 3,
  });
  expect(step).toBe('day');
  expect(bars.map((bar) => [bar.day, bar.accepted, bar.received])).toEqual([
    ['2026-11-19', 0, 0],
    ['2026-11-20', 3, 4],
    ['2026-11-21', 0, 0],
  ]);
});

it('counts long periods by the week, and loses no day', () => {
  const period = { from: '2026-01-01', to: '2026-04-30', days: 120 };
  const days = Array.from({ length: 120 }, (_, index) =>
    day(new Date(Date.parse('2026-01-01') + index * 86_400_000).toISOString().slice(0, 10), 1),
  );
  const { step, bars } = barsOf(days, 'dst_1', period);
  expect([step, bars.length]).toEqual(['week', 18]);
  expect(bars.reduce((sum, bar) => sum + bar.accepted, 0)).toBe(120);
});
