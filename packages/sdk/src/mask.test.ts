import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mask } from './mask.ts';

const word = fc.stringMatching(/^[a-z0-9._+-]{1,20}$/);
const host = fc.stringMatching(/^[a-z]{1,10}\.[a-z]{2,6}$/);

describe('a text about a page', () => {
  it('has no email address left, however it is written', () => {
    fc.assert(
      fc.property(word, host, fc.constantFrom('@', '%40', '%2540'), (name, domain, at) => {
        const masked = mask(`Account of ${name}${at}${domain} / Shop`);
        expect(masked).toBe('Account of *** / Shop');
      }),
    );
  });

  it('has no telephone number left', () => {
    for (const phone of ['+4930901820', '+49 30 901820', '+1 (650) 555-1212', '%2B49%2030%20901820']) {
      expect(mask(`call ${phone}`)).not.toMatch(/\d{3}/);
    }
  });

  it('has no signed token left', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    expect(mask(`/reset/${token}/now`)).toBe('/reset/***/now');
  });

  it('keeps numbers, prices and handles', () => {
    for (const text of ['Order 4006381333931', '1,299.00 € / 2026-11-21', '/@handle', 'C++ 11 in 24 hours']) {
      expect(mask(text)).toBe(text);
    }
  });

  it('is never longer than what may be sent', () => {
    fc.assert(fc.property(fc.string({ maxLength: 5_000 }), (text) => mask(text).length <= 2_048));
    // A megabyte with which the expressions would be busy for hours.
    expect(mask('a'.repeat(1_000_000))).toHaveLength(2_048);
  });
});
