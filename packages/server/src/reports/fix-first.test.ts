import { expect, it } from 'vitest';
import { ofEveryFix } from './fix-first.ts';

const pages = (fixes: string) => [...fixes].map((fix, rank) => ({ fix, rank }));
const ranks = (fixes: string, limit: number) => ofEveryFix(pages(fixes), limit).map(({ rank }) => rank);

it('has the most urgent pages, and the first one of every fix', () => {
  expect(ranks('aaaab', 5)).toEqual([0, 1, 2, 3, 4]);
  expect(ranks('aaaabbc', 4)).toEqual([0, 1, 4, 6]);
  expect(ranks('abcd', 2)).toEqual([0, 1]);
  expect(ranks('', 2)).toEqual([]);
});
