import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError, unknownParameters } from '../common/index.ts';
import { REPORTS } from './register.ts';

const KNOWN = [
  'from',
  'to',
  'bot',
  'vendor',
  'country',
  'host',
  'path',
  'page',
  'include',
  'limit',
  'page_number',
];

describe('a parameter that a report does not have', () => {
  it.each([
    ['form', 'from'],
    ['contry', 'country'],
    ['countries', 'country'],
    ['bots', 'bot'],
    ['From', 'from'],
    ['vender', 'vendor'],
    ['pagenumber', 'page_number'],
    ['inlcude', 'include'],
    ['bot[]', 'bot'],
    ['bot[0]', 'bot'],
  ])('is refused where it is a slip of the hand: %s for %s', (name, meant) => {
    expect(() => unknownParameters([name], KNOWN)).toThrow(
      `The query has an error at ${name}: there is no such parameter. Did you mean ${meant}?`,
    );
  });

  it.each(['_', 't', 'ts', 'tz', 'v', 'cb', 'utm_source', 'days', 'nocache', 'fbclid', ''])(
    'is passed over and named where no other was meant: %s',
    (name) => expect(unknownParameters([name, 'from', name], KNOWN)).toEqual([name]),
  );

  it('is refused where a file is asked for that there is not', () => {
    expect(() => unknownParameters(['format'], KNOWN)).toThrow('has no file');
    expect(unknownParameters(['format'], [...KNOWN, 'format'])).toEqual([]);
  });

  it('is named at most twenty times, and cut', () => {
    const names = Array.from({ length: 50 }, (_, index) => `${'x'.repeat(100)}${index}`);
    const named = unknownParameters(names, KNOWN);
    expect([named.length, named[0]?.length]).toEqual([20, 64]);
  });

  it('never is one that the report has', () => {
    for (const { parameters } of REPORTS) {
      const known = Object.keys(parameters.shape);
      expect(unknownParameters(known, known)).toEqual([]);
    }
  });

  it('is reported within bounds, whatever its name', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 })), (names) => {
        try {
          expect(unknownParameters(names, KNOWN).every((name) => name.length <= 64)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
    );
  });
});
