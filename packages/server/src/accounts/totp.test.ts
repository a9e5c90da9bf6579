import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateSecret, matchingStep, otpauthUri, stepAt, toBase32, totpCode } from './totp.ts';

describe('one-time passwords', () => {
  // RFC 6238, appendix B, SHA-1, the last six of its eight digits.
  const secret = toBase32(Buffer.from('12345678901234567890'));
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d s the code is %s', (seconds, code) => {
    expect(totpCode(secret, stepAt(seconds * 1_000))).toBe(code);
  });

  it('are taken one step early and one step late, and no further', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e12, max: 4e12 }), fc.integer({ min: -3, max: 3 }), (at, drift) => {
        const own = generateSecret();
        const step = stepAt(at) + drift;
        const near = [-1, 0, 1].map((offset) => stepAt(at) + offset);
        const code = totpCode(own, step);
        // Two steps may share a code by chance: then either of them is right.
        const expected = near.findLast((one) => totpCode(own, one) === code) ?? null;
        expect(matchingStep(own, code, at)).toBe(expected);
        if (Math.abs(drift) <= 1) expect(expected).not.toBeNull();
      }),
      { numRuns: 200 },
    );
  });

  it('are six digits and nothing else', () => {
    for (const code of ['', '12345', '1234567', '１２３４５６', 'abcdef'])
      expect(matchingStep(secret, code, 59_000)).toBeNull();
  });

  it('have secrets of 160 bits that an authenticator can read', () => {
    expect(generateSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauthUri(secret, 'ada+x@shop.example')).toBe(
      `otpauth://totp/Ghostlight:ada%2Bx%40shop.example?secret=${secret}&issuer=Ghostlight`,
    );
  });
});
