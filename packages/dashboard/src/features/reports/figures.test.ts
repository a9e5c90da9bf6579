import { expect, it, test } from 'vitest';
import { comparedText, countText, pointsOf, pointsText, readText, shareText } from './figures.ts';

test('an estimate is marked', () => {
  expect(countText(1234.4)).toBe('1,234');
  expect(countText(1234.4, 50)).toBe('≈\u00a01,234');
});

test('a change is of two sums, where both are known', () => {
  const change = { change: 0.1, change_stands_out: false };
  expect(comparedText({ ...change, previous: { hits: 1911, compared_with: 1842 } })).toBe('1,842 vs 1,911');
  expect(comparedText({ ...change, estimated: 9, previous: { visits: 0, compared_with: 2 } })).toBe(
    '≈\u00a02 vs ≈\u00a00',
  );
  expect(comparedText({ ...change, previous: { hits: 4 } })).toBeUndefined();
  expect(comparedText(change)).toBeUndefined();
});

test('a small share keeps its significant digits', () => {
  expect(shareText(0.4216)).toBe('42.2%');
  expect(shareText(0.63)).toBe('63.0%');
  expect(shareText(0.00123)).toBe('0.12%');
  expect(shareText(0.005)).toBe('0.50%');
  expect(shareText(0)).toBe('0%');
  expect(shareText(1)).toBe('100%');
});

it('counts files separately from pages, and omits them when there are none', () => {
  expect(readText({ pages: 68, files: 7 })).toBe('68 pages and 7 files');
  expect(readText({ pages: 1, files: 1 })).toBe('1 page and 1 file');
  expect(readText({ pages: 1_204, files: 0 })).toBe('1,204 pages');
  expect(readText({ pages: 0, files: 2 })).toBe('0 pages and 2 files');
});

test('a day is drawn as unfinished until it is over, also where no night has counted it', () => {
  const day = (name: string) => ({ day: name, partial: true, verified: 1, estimates: {} });
  const answer = {
    series: [day('2026-11-20'), day('2026-11-21'), day('2026-11-22')],
    time_zone: 'Asia/Kolkata',
  };
  // It is the 22nd there already.
  const now = Date.parse('2026-11-21T20:00:00Z');
  expect(pointsOf(answer, ['verified'], now).map(({ partial }) => partial)).toEqual([false, false, true]);
});

it('says a difference of shares in percentage points, with its sign', () => {
  const of = (share: number) => (difference: number) => pointsText(difference, share);
  expect([0.075 - 0.071, -0.0123, 0.0001, 0].map(of(0.075))).toEqual(['+0.4', '−1.2', '0', '0']);
  expect([0.0053 - 0.0051, 0.00001].map(of(0.0053))).toEqual(['+0.02', '0']);
});
