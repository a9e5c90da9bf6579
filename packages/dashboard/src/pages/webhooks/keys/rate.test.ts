import { expect, it } from 'vitest';
import { readRate } from './rate.ts';

it.each([
  ['60', 60],
  [' 1 ', 1],
  ['100000', 100_000],
  ['0', null],
  ['100001', null],
  ['1e3', null],
  ['-5', null],
  ['6.5', null],
  ['', null],
])('reads %j as %j requests a minute', (text, rate) => {
  expect(readRate(text)).toBe(rate);
});
