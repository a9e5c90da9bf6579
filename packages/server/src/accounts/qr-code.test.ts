import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { qrCode } from './qr-code.ts';

const text = (length: number) =>
  Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * 7 + length) % 90))).join('');

describe('a QR code', () => {
  // Each of the 213 was read back by jsQR 1.4.0 when this was written; the digest is of those.
  it('is the same for every length as when another program read them all', () => {
    const all = Array.from({ length: 213 }, (_, index) => qrCode(text(index + 1)).rows.join('\n'));
    expect(hash('sha256', all.join('\n\n'))).toBe(
      '3e227596a0dfce321e8b56694dc5738818d18ca32fc162c07ef029eaf3eba6b3',
    );
  });

  it('is a square with three finders', () => {
    const { size, rows } = qrCode('otpauth://totp/x');
    expect(rows).toHaveLength(size);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([size]));
    for (const [x, y] of [
      [0, 0],
      [size - 7, 0],
      [0, size - 7],
    ] as const) {
      const finder = rows.slice(y, y + 7).map((row) => row.slice(x, x + 7));
      expect(finder).toEqual(['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']);
    }
  });

  it('grows with the text and refuses what it can’t hold', () => {
    expect(qrCode(text(14)).size).toBe(21);
    expect(qrCode(text(15)).size).toBe(25);
    expect(qrCode(text(213)).size).toBe(57);
    expect(() => qrCode(text(214))).toThrow(RangeError);
    expect(() => qrCode('é'.repeat(107))).toThrow(RangeError);
  });
});
