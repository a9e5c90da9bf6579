import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { expect, it } from 'vitest';
import { dropToZero } from './gone.ts';
import type { Snapshot } from './rule.ts';

const NOW = 1_800_000_000_000;
const at = (closedUntil: number, wholeDays = 14, days = wholeDays) =>
  dropToZero(
    {
      ...{ now: NOW, watchingSince: NOW - 2 * DAY_MS, closedUntil },
      usual: { bots: new Map([['GPTBot', { days, medianDay: 50 }]]), silence: 0, wholeDays },
      recent: { bots: new Map(), silence: 1 },
    } as unknown as Snapshot,
    10,
  ).findings.map(({ subject, text }) => [subject, text]);

it('is not missed while visits were dropped within the day, when it may have come', () => {
  expect(at(NOW - 23 * HOUR_MS)).toEqual([]);
  expect(at(NOW + HOUR_MS)).toEqual([]);
  expect(at(NOW - 25 * HOUR_MS)).toEqual([
    ['GPTBot', '0 visits in 24 hours. Usually 50 a day, on each of the 14 days before.'],
  ]);
});

it('is missed by days alone on which no visits were dropped', () => {
  expect(at(0, 12)).toEqual([
    [
      'GPTBot',
      '0 visits in 24 hours. Usually 50 a day, on each of the 12 of 14 days before on which no visits were dropped over the quota.',
    ],
  ]);
  expect(at(0, 11)).toEqual([]);
});
