import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvOf } from './files.ts';

const cellOf = (value: string | number) =>
  csvOf({ head: ['x'], rows: [[value]] }, null)
    .split('\r\n')
    .slice(1, -1)
    .join('\r\n');

it('a negative number stays a number, with all of its digits', () => {
  expect(cellOf('-4742.23')).toBe('-4742.23');
  expect(cellOf('-12345678901234567890.12')).toBe('-12345678901234567890.12');
  expect(cellOf(-3)).toBe('-3');
  fc.assert(
    fc.property(fc.bigInt(), fc.nat(), (whole, part) => {
      expect(cellOf(`${whole}.${part}`)).toBe(`${whole}.${part}`);
    }),
  );
});

it.each(['-1+1', '-', '-1.', '-.5', '--1', '-1e5', '-1\n', '=1', '+1', '@a', '\t1', '-2,5', '-x'])(
  'what a sheet would run is text: %j',
  (value) => {
    expect(cellOf(value).replace(/^"/, '')).toMatch(/^'/);
  },
);
