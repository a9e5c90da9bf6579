import { expect, test } from 'vitest';
import { changeText } from './change.ts';

test('a change beyond ten times is a factor', () => {
  expect(changeText(0.234)).toBe('23%');
  expect(changeText(-0.5)).toBe('50%');
  expect(changeText(0)).toBe('0%');
  expect(changeText(-1)).toBe('100%');
  expect(changeText(-0.9994)).toBe('99.9%');
  expect(changeText(-0.99999)).toBe('99.9%');
  expect(changeText(0.001)).toBe('0.1%');
  expect(changeText(0.0001)).toBe('<\u00a00.1%');
  expect(changeText(13)).toBe('×\u00a014');
  expect(changeText(null)).toBeNull();
});
