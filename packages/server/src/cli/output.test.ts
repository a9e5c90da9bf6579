import fc from 'fast-check';
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

  it('columns without a single value are left out before any is cut', () => {
    const empty = rows.map((row) => ({ ...row, expires_at: null }));
    const more = { ...columns, expires_at: 'EXPIRES' };
    expect(table(empty, more, 82)).not.toContain('EXPIRES');
    expect(table(empty, more, 90)).toContain('EXPIRES');
  });

  it('times are to the minute and never cut; a pipe gets them as the API has them', () => {
    const used = [{ id: ID, name: 'A name that goes on and on', at: '2026-11-28T14:08:22.440Z' }];
    const of = { id: 'ID', name: 'NAME', at: 'LAST USED' };
    expect(table(used, of, 72).split('\n')[1]).toBe(`${ID}  A name that go…  2026-11-28 14:08Z`);
    expect(table(used, of)).toContain('2026-11-28T14:08:22.440Z');
  });

  it('that is too narrow for all columns has a block of lines for each row, with what the row has', () => {
    expect(table([{ ...rows[0], domain: null }, rows[1] ?? {}], columns, 54)).toBe(
      [
        `ATTRIBUTION ID  ${ID}`,
        'NAME            A name that goes on and on',
        '',
        `ATTRIBUTION ID  ${ID}`,
        'NAME            灯台灯台灯台灯台灯台灯台',
        'DOMAIN          a.example',
      ].join('\n'),
    );
    expect(table([], columns, 10)).toBe('ATTRIBUTION ID  NAME  DOMAIN');
  });

  it('has no line that is too long, whatever the cells and the width', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 90 }), fc.constant(null));
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: text, domain: text, at: text, n: fc.nat() }), { minLength: 1 }),
        fc.integer({ min: 56, max: 200 }),
        (cells, room) => {
          const of = { id: 'ID', name: 'NAME', domain: 'DOMAIN', at: 'LAST USED', n: 'ATTEMPTS' };
          const drawn = table(
            cells.map((row) => ({ id: ID, ...row })),
            of,
            room,
          );
          // What a terminal draws is at least as wide as its ASCII.
          for (const line of drawn.split('\n'))
            expect(line.replaceAll(/[^ -~]/gu, '').length).toBeLessThanOrEqual(room);
        },
      ),
    );
  });
});
