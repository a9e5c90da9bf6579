import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CUSTOM_NAME, customNameOf, dataTypeOf, STANDARD_EVENTS } from './types.ts';

describe('the name of a custom event', () => {
  it('fits, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        expect(customNameOf(name)).toMatch(CUSTOM_NAME);
      }),
    );
  });

  it('that fits is left alone', () => {
    fc.assert(
      fc.property(fc.stringMatching(CUSTOM_NAME), (name) => {
        expect(customNameOf(name)).toBe(name);
      }),
    );
  });

  it.each([
    ['Demo Booked!', 'demo_booked'],
    ['  -x-  ', 'x'],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
    ['預約', 'custom_event'],
  ])('made of %j is %j', (from, to) => {
    expect(customNameOf(from)).toBe(to);
  });
});

it('every standard event has a shape for its data, and fits a mapping', () => {
  for (const name of STANDARD_EVENTS) {
    expect(dataTypeOf(name)).not.toBe('custom');
    expect(name).toMatch(CUSTOM_NAME);
  }
});
