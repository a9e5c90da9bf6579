import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { below, placeOf, readJson } from './json-text.ts';

const accepted = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('JSON with places', () => {
  it('reads what JSON.stringify writes, indented or not', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const read = readJson(JSON.stringify(value, null, indent));
        expect(read.ok && JSON.stringify(read.value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('refuses what JSON.parse refuses, for any text', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0',
      '.5',
      'e9',
      'true',
      'nul',
      ' ',
      '\n',
      '\\',
      '\\u00e9',
      '\u0001',
    );
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 9 }).map((parts) => parts.join('')),
        (text) => {
          const read = readJson(text);
          const twice = !read.ok && read.mistake.message.includes('Duplicate name');
          expect(read.ok || twice).toBe(accepted(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('knows the line of every member and item, escapes in names included', () => {
    const read = readJson('{\n  "a/b": {\n    "c": [1,\n      2]\n  }\n}');
    if (!read.ok) throw new Error(read.mistake.message);
    expect(placeOf(read.places, '/a~1b/c/1')).toEqual({ line: 4, column: 7 });
    expect(placeOf(read.places, '/a~1b').line).toBe(2);
    expect(placeOf(read.places, `${below('', 'a/b')}/missing/far`).line).toBe(2);
    expect(placeOf(read.places, '/nowhere')).toEqual({ line: 1, column: 1 });
  });

  it.each([
    ['{"a": 1,\n}', 2, 'The comma before this is one too many.'],
    ['{\n"a": 1\n"b": 2}', 3, 'A comma or the closing } is expected.'],
    ["{'a': 1}", 1, 'A member’s name in double quotes is expected.'],
    ['{"a": 1,\n "a": 2}', 2, 'Duplicate name “a”.'],
    ['{"pattern":\n "\\d"}', 2, '\\d is no escape; a backslash itself is written \\\\.'],
    ['"open', 1, 'The closing " of this is missing.'],
    ['', 1, 'A JSON object is expected here.'],
    ['{} x', 1, 'The JSON ended before this.'],
  ])('says of %j what is wrong, and in which line', (text, line, message) => {
    const read = readJson(text);
    expect(read.ok ? null : [read.mistake.line, read.mistake.message]).toEqual([line, message]);
  });

  it('stops at a depth that no schema has, instead of at the end of the stack', () => {
    expect(readJson('['.repeat(100_000)).ok).toBe(false);
  });

  it('takes __proto__ for a name like any other', () => {
    const read = readJson('{"__proto__": {"x": 1}}');
    expect(read.ok && Object.hasOwn(read.value as object, '__proto__')).toBe(true);
  });
});
