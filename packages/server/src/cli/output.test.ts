import { describe, expect, it } from 'vitest';
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

it('keeps characters away that are invisible or turn the direction of text, and leaves joined emoji', () => {
  const name = 'a\u202eb\u200bc👩‍💻';
  expect(table([{ name }], { name: 'NAME' })).toBe('NAME\na�b�c👩‍💻');
});

it('counts what a terminal draws two columns wide as two', () => {
  const rows = [
    { name: '灯台', n: 1 },
    { name: '👻👻', n: 2 },
    { name: 'é', n: 3 },
    { name: 'e\u0301', n: 4 },
  ];
  expect(table(rows, { name: 'NAME', n: 'N' })).toBe('NAME  N\n灯台  1\n👻👻  2\né     3\ne\u0301     4');
});

describe('at a terminal', () => {
  const ID = '0198c1c4-5b0e-7c3a-9f54-2f4d6d1c9b11';
  const rows = [
    { id: ID, name: 'A name that goes on and on', domain: 'shop.example' },
    { id: ID, name: '灯台灯台灯台灯台灯台灯台', domain: 'a.example' },
  ];
  const columns = { id: 'ATTRIBUTION ID', name: 'NAME', domain: 'DOMAIN' };

  it('the widest columns are cut until a line fits, and IDs stay whole', () => {
    expect(table(rows, columns, 64).split('\n')).toEqual([
      `ATTRIBUTION ID${' '.repeat(24)}NAME          DOMAIN`,
      `${ID}  A name that…  shop.example`,
      `${ID}  灯台灯台灯…   a.example`,
    ]);
  });

  it('that is wide enough nothing is cut, as in a pipe', () => {
    expect(table(rows, columns, 90)).toBe(table(rows, columns, Number.POSITIVE_INFINITY));
    expect(table(rows, columns, 90)).toContain('A name that goes on and on');
  });

  it('that is too narrow for all, every column keeps enough to be recognised', () => {
    for (const line of table(rows, columns, 10).split('\n').slice(1)) expect(line).toContain(ID);
    expect(table([], columns, 10)).toBe('ATTRIBUTION ID  NAME  DOMAIN');
  });
});
