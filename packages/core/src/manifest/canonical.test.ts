import reference from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import files from '../../vectors/jcs.json' with { type: 'json' };
import numbers from '../../vectors/jcs-numbers.json' with { type: 'json' };
import { CanonicalError, canonicalize } from './canonical.ts';

function faultOf(value: unknown): unknown {
  try {
    return canonicalize(value);
  } catch (error) {
    if (!(error instanceof CanonicalError)) throw error;
    return [error.fault, error.pointer];
  }
}

describe('canonicalize', () => {
  it.each(files.cases)('writes the RFC’s example "$name" byte for byte', ({ input, output, utf8 }) => {
    expect(canonicalize(JSON.parse(input))).toBe(output);
    expect(Buffer.from(canonicalize(JSON.parse(input))).toString('hex')).toBe(utf8);
  });

  it('writes every number of the RFC’s table as it is in the table, and refuses those that are none', () => {
    for (const { bits, text } of numbers.cases) {
      const number = new DataView(BigUint64Array.of(BigInt(`0x${bits}`)).buffer).getFloat64(0, true);
      expect(faultOf(number), bits).toEqual(text ?? ['not_finite', '']);
    }
  });

  it('agrees with another implementation on any value', () => {
    const json = fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), fc.jsonValue());
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalize(value)).toBe(reference(value));
      }),
    );
  });

  it('refuses what it would have to change, and says where', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    const sparse: unknown[] = [1];
    sparse[2] = 3;
    expect(faultOf({ a: ['\ud800'] })).toEqual(['lone_surrogate', '/a/0']);
    expect(faultOf({ '\udc00x': 1 })).toEqual(['lone_surrogate', expect.stringMatching(/^\//)]);
    expect(faultOf({ 'a/b~': Number.NaN })).toEqual(['not_finite', '/a~1b~0']);
    expect(faultOf({ a: undefined })).toEqual(['not_json', '/a']);
    expect(faultOf([new Date(0)])).toEqual(['not_json', '/0']);
    expect(faultOf(sparse)).toEqual(['not_json', '/1']);
    for (const value of [undefined, 1n, Symbol('x'), () => 1, new Map(), new Uint8Array(1)])
      expect(faultOf(value)).toEqual(['not_json', '']);
    expect(faultOf(circle)).toEqual(['too_deep', '/0'.repeat(100)]);
  });

  it('keeps a member called __proto__', () => {
    expect(canonicalize(JSON.parse('{"a":1,"__proto__":{"b":2}}'))).toBe('{"__proto__":{"b":2},"a":1}');
  });
});
