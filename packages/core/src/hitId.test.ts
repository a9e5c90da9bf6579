import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hitId, murmur3x86 } from './hitId.ts';

const littleEndianWords = (digest: Uint8Array): Uint8Array => {
  const swapped = digest.slice();
  for (let at = 0; at < 16; at += 4) swapped.subarray(at, at + 4).reverse();
  return swapped;
};

describe('murmur3x86', () => {
  it("has SMHasher's verification value of MurmurHash3_x86_128, which covers every tail length", () => {
    const hashes = new Uint8Array(256 * 16);
    const key = new Uint8Array(256);
    for (let length = 0; length < 256; length++) {
      key[length] = length;
      hashes.set(littleEndianWords(murmur3x86(key.subarray(0, length), 256 - length)), length * 16);
    }
    const final = littleEndianWords(murmur3x86(hashes, 0));
    expect(new DataView(final.buffer).getUint32(0, true)).toBe(0xb3ece62a);
  });
});

describe('hitId', () => {
  const property = '0e9b2c54-7c0a-4a1e-9a53-2f6f6d1c8b11';

  it('is a version 8 UUID for every ray', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (ray) => {
        expect(hitId(property, ray)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  it('is the same for ever: these ids are stored', () => {
    expect(hitId(property, '8f2d1c0b9a8e7d6c')).toBe(hitId(property, '8f2d1c0b9a8e7d6c'));
    expect(hitId(property, '8f2d1c0b9a8e7d6c')).toMatchInlineSnapshot(
      `"dd56c6a9-c7c2-8f6a-9187-3a5569328a31"`,
    );
  });

  it('differs by ray and by property, over 200,000 neighbouring rays', () => {
    const ids = new Set<string>();
    for (let i = 0; i < 100_000; i++) {
      const ray = (0x8f2d1c0b9a8e0000n + BigInt(i)).toString(16);
      ids.add(hitId(property, ray)).add(hitId('6f1f0b34-5d7f-4c4e-8f51-0e1b7c9e2a77', ray));
    }
    expect(ids.size).toBe(200_000);
  });
});
