import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameSchema, withoutInvisible } from './name.ts';

const said = (name: string) => nameSchema.safeParse(name).error?.issues.map(({ message }) => message) ?? [];

describe('a name', () => {
  it.each([
    ['Shop', 'Shop'],
    ['  Bücher & Söhne  ', 'Bücher & Söhne'],
    ['Sh\u200bop', 'Shop'],
    ['\ufeffShop\u200e', 'Shop'],
    ['S\u00adh\u2060o\u200dp', 'Shop'],
    ['Shop\u3164', 'Shop'],
    ['Shop\u{e0041}\u{e007f}', 'Shop'],
    ['\u200b Shop \u200b', 'Shop'],
  ])('%j is kept as %j', (given, kept) => {
    expect(nameSchema.parse(given)).toBe(kept);
  });

  it.each([
    ['a family', '👩\u200d👩\u200d👧\u200d👦'],
    ['a skin tone and a joiner', '👩🏽\u200d🚀'],
    ['a heart that is an emoji', '❤\ufe0f\u200d🔥'],
    ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a Persian word', 'می\u200cخواهم'],
    ['a Hindi word', 'क्\u200dष'],
    ['Hebrew', 'חנות'],
    ['Japanese', '葛\u{e0100}飾区'],
  ])('keeps what shapes it: %s', (_, name) => {
    expect(nameSchema.parse(name)).toBe(name);
  });

  it.each(['Shop\u0000', 'Shop\nAdmin', 'a\tb', 'Shop\u001b[31m', 'Shop\u0085x', 'a\u2028b'])(
    '%j is refused for its control character',
    (name) => {
      expect(said(name)).toContain('A name can’t contain control characters, such as line breaks and tabs.');
    },
  );

  it.each(['\u202epohS', 'Shop \u2066x\u2069', 'a\u202ab\u202c'])(
    '%j is refused for its direction',
    (name) => {
      expect(said(name)).toContain('A name can’t contain characters that change the direction of text.');
    },
  );

  it.each(['', '   ', '\u200b\u200b', '\u200d', '\ufe0f', '\u3164'])('%j is none', (name) => {
    expect(said(name)).toContain('Enter a name of 1 to 100 characters.');
  });

  it('has at most 100 characters, not counting those that were left out', () => {
    expect(said('x'.repeat(101))).toEqual(['At most 100 characters.']);
    expect(nameSchema.parse('x\u200b'.repeat(100))).toBe('x'.repeat(100));
  });

  it('without what is invisible has nothing more to lose', () => {
    const invisible = fc.constantFrom(
      '\u200b',
      '\u200c',
      '\u200d',
      '\ufe0f',
      '\u{e0067}',
      '🏴',
      '👩',
      'م',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(invisible, fc.string({ unit: 'binary', maxLength: 2 }))), (parts) => {
        const once = withoutInvisible(parts.join(''));
        expect(withoutInvisible(once)).toBe(once);
      }),
    );
  });
});
