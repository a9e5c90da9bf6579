import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIp, parseIp } from './ip.ts';
import { compileRanges, isEmptyRangeSet, rangesContain } from './ranges.ts';

const has = (prefixes: string[], ip: string): boolean => {
  const address = parseIp(ip);
  return address !== null && rangesContain(compileRanges(prefixes), address);
};

describe('compileRanges', () => {
  it('agrees with comparing the first bits, prefix by prefix (IPv4)', () => {
    // A small space, so that prefixes overlap, touch and nest.
    const prefix = fc.tuple(fc.nat(0xffff), fc.integer({ min: 16, max: 32 }));
    fc.assert(
      fc.property(fc.array(prefix, { maxLength: 20 }), fc.nat(0xffff), (prefixes, low) => {
        const ip = 0x0a000000 + low;
        const texts = prefixes.map(
          ([at, bits]) => `${formatIp({ version: 4, value: 0x0a000000 + at })}/${bits}`,
        );
        const naive = prefixes.some(([at, bits]) => {
          const shift = 32 - bits;
          return Math.floor((0x0a000000 + at) / 2 ** shift) === Math.floor(ip / 2 ** shift);
        });
        expect(has(texts, formatIp({ version: 4, value: ip }))).toBe(naive);
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with comparing the first bits, prefix by prefix (IPv6)', () => {
    const base = 0x20010db8n << 96n;
    const prefix = fc.tuple(fc.bigInt(0n, 0xffffn), fc.integer({ min: 100, max: 128 }));
    fc.assert(
      fc.property(fc.array(prefix, { maxLength: 20 }), fc.bigInt(0n, 0xffffn), (prefixes, low) => {
        const ip = base + low;
        const texts = prefixes.map(([at, bits]) => `${formatIp({ version: 6, value: base + at })}/${bits}`);
        const naive = prefixes.some(
          ([at, bits]) => (base + at) >> BigInt(128 - bits) === ip >> BigInt(128 - bits),
        );
        expect(has(texts, formatIp({ version: 6, value: ip }))).toBe(naive);
      }),
      { numRuns: 1000 },
    );
  });

  it('joins prefixes that touch, and keeps the edges of the address space', () => {
    expect(compileRanges(['0.0.0.0/1', '128.0.0.0/1']).v4).toEqual(Uint32Array.of(0, 0xffffffff));
    expect(compileRanges(['10.0.0.0/25', '10.0.0.128/25', '10.0.2.0/24']).v4).toHaveLength(4);
    expect(compileRanges(['::/1', '8000::/1']).v6).toEqual([0n, 2n ** 128n - 1n]);
  });

  it('skips a bad entry and keeps the file', () => {
    const set = compileRanges(['nonsense', '192.0.2.0/24', '10.0.0.0/33', '']);
    expect(set.skipped).toBe(3);
    expect(isEmptyRangeSet(set)).toBe(false);
    expect(isEmptyRangeSet(compileRanges(['nonsense']))).toBe(true);
  });
});
