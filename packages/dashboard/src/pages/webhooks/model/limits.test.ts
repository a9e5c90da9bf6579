import { expect, it } from 'vitest';
import { readDays, readRate } from './limits.ts';

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
