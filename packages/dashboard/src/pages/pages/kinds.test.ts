import { expect, it } from 'vitest';
import { kindInAddress, kindOf } from './kinds.ts';

it('lists pages until something else is chosen, and one path whatever it is', () => {
  expect(kindOf({})).toBe('page');
  expect(kindOf({ kind: 'file' })).toBe('file');
  expect(kindOf({ kind: 'identity' })).toBe('page');
  expect(kindOf({ page: '/robots.txt' })).toBe('all');
  expect(kindOf({ page: '/robots.txt', kind: 'page' })).toBe('page');
});

it('says in the address only what is not usual', () => {
  expect(kindInAddress({}, 'page')).toBeUndefined();
  expect(kindInAddress({}, 'all')).toBe('all');
  expect(kindInAddress({ page: '/a' }, 'all')).toBeUndefined();
  expect(kindInAddress({ page: '/a' }, 'page')).toBe('page');
});
