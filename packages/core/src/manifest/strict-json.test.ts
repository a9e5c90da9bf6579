import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalize } from './canonical.ts';
import { parseStrictJson, StrictJsonError } from './strict-json.ts';

function faultOf(document: string | Uint8Array): unknown {
  try {
    return parseStrictJson(document);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return [error.fault, error.pointer];
  }
}

describe('parseStrictJson', () => {
  it.each([
    ['a member twice', '{"a":{"b":1,"c":2,"b":1}}', 'duplicate_member', '/a/b'],
    ['a member twice, once escaped', '{"a":1,"\\u0061":1}', 'duplicate_member', '/a'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'duplicate_member', '/__proto__'],
    ['an escaped lone surrogate', '[["x","\\ud800"]]', 'lone_surrogate', '/0/1'],
    ['a raw lone surrogate', '["\udc00"]', 'lone_surrogate', '/0'],
    ['surrogates in the wrong order', '"\\udc00\\ud800"', 'lone_surrogate', ''],
    ['a member name beyond ASCII', '{"a":[{"größe":1}]}', 'non_ascii_member', '/a/0/größe'],
    ['a control character in a member name', '{"\\n":1}', 'non_ascii_member', '/\n'],
    ['an integer beyond 2^53 - 1', '{"n":9007199254740992}', 'unsafe_number', '/n'],
    ['a number that a double rounds', '[9007199254740993]', 'unsafe_number', '/0'],
    ['a number without end', '1e999', 'unsafe_number', ''],
    ['a fraction', '0.01', 'unsafe_number', ''],
    ['an integer written as a fraction', '1.0', 'unsafe_number', ''],
    ['an exponent', '1e2', 'unsafe_number', ''],
    ['a negative zero', '-0', 'unsafe_number', ''],
  ])('refuses %s', (_, text, fault, pointer) => {
    expect(faultOf(text)).toEqual([fault, pointer]);
    // None of these can be seen after JSON.parse, which is why there is a second reader.
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each([
    '',
    ' ',
    '{',
    '[',
    '"',
    '"\\',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "'a'",
    '01',
    '-',
    '+1',
    '.5',
    '1.',
    'nul',
    'NaN',
    'true false',
    '"\n"',
    '"\\x"',
    '"\\u12"',
    '[1 2]',
    '{"a" 1}',
    '{"a":}',
    '{,}',
    '\ufeff{}',
    '/**/1',
    '\u00a01',
    '{"a":1}}',
  ])('refuses %j, like JSON.parse', (text) => {
    expect(faultOf(text)).toEqual(['not_json', expect.any(String)]);
    expect(() => JSON.parse(text)).toThrow();
  });

  it('refuses bytes that are no UTF-8, or begin with a byte order mark', () => {
    expect(faultOf(Uint8Array.of(0x22, 0xc3, 0x22))).toEqual(['not_json', '']);
    expect(faultOf(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toEqual(['not_json', '']);
    expect(faultOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toEqual(['not_json', '']);
  });

  it('reads any value of the profile as JSON.parse does, from text and from bytes', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, false),
        fc.maxSafeInteger(),
        fc.string({ unit: 'binary' }),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string({ unit: 'grapheme-ascii' }), fc.constant('__proto__')), tie('any'), {
          maxKeys: 4,
        }),
      ),
    })).any;
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(json, null, indent);
        const read = parseStrictJson(text);
        expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
        expect(canonicalize(parseStrictJson(new TextEncoder().encode(text)))).toBe(canonicalize(read));
      }),
    );
  });

  it('accepts no text that JSON.parse refuses, and reads what both accept alike', () => {
    const noise = fc.string({
      unit: fc.constantFrom(...'{}[]",:\\ tfnu0129-.eE\n', 'true', 'null', '\\u00e9', '"a"'),
      maxLength: 24,
    });
    fc.assert(
      fc.property(noise, (text) => {
        let read: unknown;
        try {
          read = parseStrictJson(text);
        } catch (error) {
          expect(error).toBeInstanceOf(StrictJsonError);
          return;
        }
        expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('stops at its depth, however deep the document is', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(JSON.stringify(faultOf(nested(32)))).toBe(nested(32));
    expect(faultOf(nested(33))).toEqual(['too_deep', '/0'.repeat(32)]);
    expect(faultOf('['.repeat(200_000))).toEqual(['too_deep', '/0'.repeat(32)]);
    expect(faultOf('{"a":'.repeat(50_000))).toEqual(['too_deep', '/a'.repeat(32)]);
  });

  it('takes one string that fills the limit, and not one byte more', () => {
    const full = `"${'x'.repeat(256 * 1024 - 2)}"`;
    expect(parseStrictJson(full)).toHaveLength(256 * 1024 - 2);
    expect(faultOf(`${full} `)).toEqual(['too_large', '']);
    expect(faultOf(new TextEncoder().encode(`${full} `))).toEqual(['too_large', '']);
    expect(faultOf(`"${'é'.repeat(128 * 1024)}"`)).toEqual(['too_large', '']);
    expect(faultOf(full.slice(0, -1))).toEqual(['not_json', '']);
  });
});
