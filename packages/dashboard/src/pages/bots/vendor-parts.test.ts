import { expect, it } from 'vitest';
import { botsByVendor, vendorParts } from './vendor-parts.ts';

type Answer = Parameters<typeof vendorParts>[0];

const item = (vendor: string, series: readonly number[], estimated = 0) => ({
  ...{ vendor, series, estimated },
  hits: series.reduce((sum, count) => sum + count, 0),
});
const NOW = Date.parse('2026-11-22T12:00:00Z');

it('names the largest vendors, and adds the others up to what all have', () => {
  const vendors = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name, index) => item(name, [index + 1, 2]));
  const { series, points } = vendorParts(
    {
      items: [...vendors, item('none', [0, 0])],
      series: [
        { day: '2026-11-21', hits: 28, estimated: 0 },
        { day: '2026-11-22', hits: 14, estimated: 0 },
      ],
      time_zone: 'UTC',
    } as unknown as Answer,
    NOW,
  );
  expect(series.map(({ name }) => name)).toEqual(['G', 'F', 'E', 'D', 'Others']);
  expect(points[0]?.values).toEqual({ G: 7, F: 6, E: 5, D: 4, others: 6 });
  expect(points.map(({ partial }) => partial)).toEqual([false, true]);
});

it('says what may be estimated', () => {
  const { points } = vendorParts(
    {
      items: [item('A', [4], 2), item('B', [1])],
      series: [{ day: '2026-11-21', hits: 5, estimated: 2 }],
      time_zone: 'UTC',
    } as unknown as Answer,
    NOW,
  );
  expect(points[0]?.estimated).toEqual({ A: 4, B: 0, others: 0 });
});

it('names the bots of a vendor, those with most visits first', () => {
  const bots = [
    { bot: 'x', vendor: 'V', hits: 1 },
    { bot: 'y', vendor: 'V', hits: 9 },
    { bot: 'z', vendor: 'W', hits: 5 },
  ].map((row) => ({ ...row, intent: 'training' }));
  const names = botsByVendor(bots);
  expect([names.get('V'), names.get('W'), names.get('none')]).toEqual([['y', 'x'], ['z'], undefined]);
});
