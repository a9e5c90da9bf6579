import { expect, it } from 'vitest';
import type { Destination } from '../../../features/destinations/api.ts';
import { summaryOf, worstFirst } from './trouble.ts';

const one = (name: string, state: Destination['state'], health: Partial<Destination['health']> = {}) => ({
  name,
  state,
  health: { failures: 0, dead_24h: 0, ...health } as Destination['health'],
});

const all = [
  one('well', 'active'),
  one('paused', 'paused'),
  one('refusing', 'active', { dead_24h: 2 }),
  one('down', 'active', { failures: 1 }),
  one('locked', 'alarm'),
  one('paused in trouble', 'paused', { dead_24h: 1 }),
];

it('lists what needs a person first, and keeps the order otherwise', () => {
  expect(worstFirst(all).map(({ name }) => name)).toEqual([
    'locked',
    'down',
    'refusing',
    'paused',
    'paused in trouble',
    'well',
  ]);
});

it('says in one line how many there are, and what is wrong', () => {
  expect(summaryOf(all)).toBe('6 destinations: 1 stopped, 1 retrying, 1 with recent failures, 2 paused');
  expect(summaryOf([one('well', 'active')])).toBe('1 destination');
});
