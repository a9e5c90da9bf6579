import { expect, it } from 'vitest';
import { kindInAddress, kindOf } from './kinds.ts';

it('lists pages by default, and a single path of any kind', () => {
  expect(kindOf({})).toBe('page');
  expect(kindOf({ kind: 'file' })).toBe('file');
  expect(kindOf({ kind: 'identity' })).toBe('page');
  expect(kindOf({ page: '/robots.txt' })).toBe('all');
  expect(kindOf({ page: '/robots.txt', kind: 'page' })).toBe('page');
});

it('leaves the default out of the address', () => {
  expect(kindInAddress({}, 'page')).toBeUndefined();
  expect(kindInAddress({}, 'all')).toBe('all');
  expect(kindInAddress({ page: '/a' }, 'all')).toBeUndefined();
  expect(kindInAddress({ page: '/a' }, 'page')).toBe('page');
});
