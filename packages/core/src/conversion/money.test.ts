import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyExponent } from './currencies.ts';
import {
  addDecimal,
  compareDecimal,
  decimalOf,
  multiplyByShares,
  sharesOf,
  subtractDecimal,
} from './money.ts';

/** An amount as text, and as a whole number of 10^-10. */
const amount = fc.bigInt({ min: -(10n ** 30n) + 1n, max: 10n ** 30n - 1n }).map((units) => {
  const digits = String(units < 0n ? -units : units).padStart(11, '0');
  const sign = units < 0n ? '-' : '';
  return { units, text: `${sign}${digits.slice(0, -10)}.${digits.slice(-10)}` };
});
const unitsOf = (decimal: string): bigint => {
  const [integer = '', fraction = ''] = decimal.split('.');
  return BigInt(integer + fraction.padEnd(10, '0'));
};
const total = (parts: readonly string[]): string => parts.reduce(addDecimal, '0');

describe('decimals', () => {
  it('are read without loss, and equal amounts are equal texts', () => {
    fc.assert(
      fc.property(amount, ({ units, text }) => {
        const decimal = decimalOf(text) ?? '';
        expect(unitsOf(decimal)).toBe(units);
        expect(decimal).toMatch(/^(?:0|-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?)$/);
        expect(decimalOf(decimal)).toBe(decimal);
      }),
    );
  });

  it('add, subtract and compare like rational numbers', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(unitsOf(addDecimal(a.text, b.text))).toBe(a.units + b.units);
        expect(unitsOf(subtractDecimal(a.text, b.text))).toBe(a.units - b.units);
        expect(compareDecimal(a.text, b.text)).toBe(a.units < b.units ? -1 : a.units > b.units ? 1 : 0);
      }),
    );
  });

  it('take a JSON number as what it was written as, to ten digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 3 }), (units, digits) => {
        const decimal = decimalOf(units / 10 ** digits) ?? '';
        expect(unitsOf(decimal)).toBe(BigInt(units) * 10n ** BigInt(10 - digits));
      }),
    );
  });

  it('are never made of noise, and reading never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0159.eE+- ') }), fc.double()),
        (noise) => {
          const decimal = decimalOf(noise);
          if (decimal !== null) expect(decimalOf(decimal)).toBe(decimal);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('throw a RangeError for what is no decimal', () => {
    for (const text of ['', 'x', '1e3', '1,5', '.5']) expect(() => addDecimal(text, '1')).toThrow(RangeError);
  });
});

describe('multiplyByShares', () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }), { minLength: 1, maxLength: 20 });
  const positive = weights.filter((list) => list.some((weight) => weight > 0n));

  it('divides any amount so that the parts sum to it exactly', () => {
    fc.assert(
      fc.property(amount, positive, fc.integer({ min: 0, max: 10 }), ({ text }, list, digits) => {
        const parts = multiplyByShares(text, sharesOf(list), digits);
        expect(total(parts)).toBe(decimalOf(text));
      }),
    );
  });

  it('gives each part its share to less than one smallest unit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), positive, (cents, list) => {
        const shares = sharesOf(list);
        const parts = multiplyByShares(String(cents), shares, 0);
        for (const [index, part] of parts.entries()) {
          const exact = cents * unitsOf12(shares[index] ?? '0');
          const off = BigInt(part) * 10n ** 12n - exact;
          expect(off < 10n ** 12n && off > -(10n ** 12n)).toBe(true);
        }
      }),
    );
  });

  it('makes shares that sum to exactly 1', () => {
    fc.assert(
      fc.property(positive, (list) => {
        expect(total(sharesOf(list))).toBe('1');
      }),
    );
  });

  it('throws a RangeError where there is nothing to divide by', () => {
    for (const shares of [[], ['0'], ['0', '0'], ['1', '-1']])
      expect(() => multiplyByShares('1', shares)).toThrow(RangeError);
  });
});

const unitsOf12 = (decimal: string): bigint => {
  const [integer = '', fraction = ''] = decimal.split('.');
  return BigInt(integer + fraction.padEnd(12, '0'));
};

describe('currencyExponent', () => {
  it('follows ISO 4217, not CLDR', () => {
    const exponents = {
      EUR: 2,
      JPY: 0,
      KWD: 3,
      IQD: 3,
      HUF: 2,
      ISK: 0,
      CLF: 4,
      UYW: 4,
      IDR: 2,
      XCG: 2,
      BGN: 2,
    };
    for (const [code, exponent] of Object.entries(exponents)) expect(currencyExponent(code)).toBe(exponent);
  });

  it('knows no metal, no test code, and nothing between two codes', () => {
    for (const code of ['XAU', 'XXX', 'XTS', 'XDR', 'eur', 'EU', 'R G', 'ED ', 'EUR ', '', '__proto__'])
      expect(currencyExponent(code)).toBe(null);
  });

  it('knows every currency that today’s runtime calls a tender, by a code each once', () => {
    const spent = [
      'USD',
      'EUR',
      'CHF',
      'CNY',
      'INR',
      'BRL',
      'PLN',
      'SEK',
      'TRY',
      'AED',
      'ZAR',
      'MXN',
      'THB',
      'SLE',
      'ZWG',
    ];
    expect(spent.filter((code) => currencyExponent(code) === null)).toEqual([]);
  });
});
