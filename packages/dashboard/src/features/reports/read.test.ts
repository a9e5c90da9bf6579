import { expect, it } from 'vitest';
import { readText } from './read.ts';

it('names files apart from pages, and none where there are none', () => {
  expect(readText({ pages: 68, files: 7 })).toBe('68 pages and 7 files');
  expect(readText({ pages: 1, files: 1 })).toBe('1 page and 1 file');
  expect(readText({ pages: 1_204, files: 0 })).toBe('1,204 pages');
  expect(readText({ pages: 0, files: 2 })).toBe('0 pages and 2 files');
});
