import { expect, it } from 'vitest';
import type { ReportDay } from '../../../features/deliveries/api.ts';
import { eligibleOf, finishedOf, pointsOf, reasonsOf, sumsOf, worstFirst } from './counts.ts';

const counts = (skipped: Record<string, number>) => ({
  created: 10,
  delivered: 4,
  accepted: 1,
  waiting: 1,
  dead: 1,
  unknown: 0,
  skipped,
});

it('adds up destinations, and reasons by frequency', () => {
  const all = [counts({ too_old: 1, consent_denied: 2 }), counts({ too_old: 3, turned_off: 0 })];
  expect(sumsOf(all)).toMatchObject({ created: 20, delivered: 8, skipped: 6 });
  expect(reasonsOf(all)).toEqual([
    ['too_old', 4],
    ['consent_denied', 2],
  ]);
});

it('begins with the most failed and unknown, however many wait, and then the largest', () => {
  const one = (name: string, own: Partial<ReturnType<typeof counts>>) => ({
    ...{ ...counts({}), destination: name, platform: 'meta' as const, name, deleted: false, rate: null },
    ...{ dead: 0, unknown: 0, ...own },
  });
  const all = [
    one('small', { created: 2 }),
    one('paused', { created: 30, waiting: 26 }),
    one('failed', { dead: 3 }),
    one('unknown', { unknown: 4 }),
  ];
  expect(worstFirst(all).map(({ name }) => name)).toEqual(['unknown', 'failed', 'paused', 'small']);
});

it('rates what is finished, and leaves out what waits or is processed', () => {
  expect(finishedOf(sumsOf([counts({})]))).toBe(5);
});

it('leaves what was skipped out of what is eligible', () => {
  expect(eligibleOf(sumsOf([counts({ too_old: 3 })]))).toBe(7);
});

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
