import { expect, it } from 'vitest';
import { table } from './output.ts';

it('lines columns up by their longest cell', () => {
  const text = table(
    [
      { id: 'a', n: 12 },
      { id: 'long', n: null },
    ],
    { id: 'ID', n: 'N' },
  );
  expect(text).toBe('ID    N\na     12\nlong  –');
});

it('keeps control characters of stored text away from the terminal', () => {
  expect(table([{ name: 'x\u001b[2Jy' }], { name: 'NAME' })).toBe('NAME\nx�[2Jy');
});
