import { expect, it } from 'vitest';
import { readDays } from './lookback.ts';

it.each([
  ['1', 1],
  ['30', 30],
  ['90', 90],
  ['0', null],
  ['91', null],
  ['7.5', null],
  ['', null],
])('reads %j as %j days', (text, days) => {
  expect(readDays(text)).toBe(days);
});
