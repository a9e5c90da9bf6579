import { expect, it } from 'vitest';
import type { PageDay } from '../warehouse/index.ts';
import { fixedSince } from './fixed.ts';

const day = (failed: 0 | 1, first_at: number, last_at: number, hits = 1): PageDay => ({
  ...{ page: '1', failed, hits, first_at, last_at },
});

it('says since when a page that always failed answers well', () => {
  expect(fixedSince(0.9, [day(1, 10, 20, 9), day(0, 1, 5), day(0, 25, 29, 3)])).toBe(25);
  // A day that had both: its last success alone is known to be later.
  expect(fixedSince(0.9, [day(1, 10, 20, 9), day(0, 5, 24, 8), day(0, 25, 29, 2)])).toBe(24);
});

it('says nothing of too few successes, or of those before the last failure', () => {
  expect(fixedSince(1, [day(1, 10, 20), day(0, 25, 29, 2)])).toBeNull();
  expect(fixedSince(1, [day(1, 10, 30), day(0, 1, 29, 50)])).toBeNull();
  expect(fixedSince(1, [day(1, 10, 30)])).toBeNull();
});

it('does not take a lucky run of a page that fails now and then for its end', () => {
  const since = (hits: number) => fixedSince(0.05, [day(1, 10, 20, 5), day(0, 25, 29, hits)]);
  expect(since(50)).toBeNull();
  expect(since(100)).toBe(25);
});
