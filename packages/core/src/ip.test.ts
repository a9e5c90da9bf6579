import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIp, parseIp } from './ip.ts';

describe('parseIp', () => {
  it('takes exactly what Node takes for an address, apart from zone ids', () => {
    const almost = fc.string({ unit: fc.constantFrom(...'0123456789abF:.%g '), maxLength: 24 });
    const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), almost);
    fc.assert(
      fc.property(text, (address) => {
        expect(parseIp(address) !== null).toBe(isIP(address) !== 0 && !address.includes('%'));
      }),
      { numRuns: 5000 },
    );
  });

  it('reads back what it writes, for every address', () => {
    const v6 = fc.bigInt(0n, 2n ** 128n - 1n).filter((value) => value >> 32n !== 0xffffn);
    fc.assert(
      fc.property(v6, (value) => {
        expect(parseIp(formatIp({ version: 6, value }))).toEqual({ version: 6, value });
      }),
    );
    fc.assert(
      fc.property(fc.nat(0xffffffff), (value) => {
        expect(parseIp(formatIp({ version: 4, value }))).toEqual({ version: 4, value });
      }),
    );
  });

  it('writes IPv6 as URL hosts are written, which is RFC 5952', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 128n - 1n), (value) => {
        const text = formatIp({ version: 6, value });
        expect(new URL(`http://[${text}]/`).hostname).toBe(`[${text}]`);
      }),
    );
  });
});
