import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ranked, scoreOf } from './rank.ts';

const texts = (
  entries: { text: string; detail?: string; words?: string; subject?: string; weight?: number }[],
  typed: string,
) => ranked(entries, typed, 50).map(({ text }) => text);

describe('the rank of an entry', () => {
  it('prefers the whole name, then its beginning, a word, a part, the detail, and letters in order', () => {
    const entries = [
      { text: 'Bots that love elephants or tigers' },
      { text: 'Anything', detail: 'lots of bots' },
      { text: 'Robots' },
      { text: 'Top bots' },
      { text: 'Botswana' },
      { text: 'Bots' },
    ];
    expect(texts(entries, 'bots')).toEqual([
      'Bots',
      'Bots that love elephants or tigers',
      'Botswana',
      'Top bots',
      'Robots',
      'Anything',
    ]);
  });

  it('finds abbreviations and slips, words in any order, and other words for the same thing', () => {
    const pages = [
      { text: 'Conversions' },
      { text: 'Data sources', words: 'setup install' },
      { text: 'Trust' },
    ];
    expect(texts(pages, 'cnvs')).toEqual(['Conversions']);
    expect(texts(pages, 'sources data')).toEqual(['Data sources']);
    expect(texts(pages, 'install')).toEqual(['Data sources']);
    expect(texts(pages, 'CONVERSIÓNS')).toEqual(['Conversions']);
    expect(texts(pages, 'xyz')).toEqual([]);
  });

  it('lists siblings only by what tells them apart', () => {
    const ways = ['nginx', 'Apache'].map((name) => ({ text: `Set up ${name}`, subject: name }));
    expect(texts(ways, 'set up')).toEqual([]);
    expect(texts(ways, 'nginx')).toEqual(['Set up nginx']);
    expect(texts(ways, 'set up apa')).toEqual(['Set up Apache']);
  });

  it('puts what is meant more often first among equals', () => {
    expect(
      texts(
        [
          { text: 'Keys of the manifest', weight: -15 },
          { text: 'Keys of collectors', weight: 0 },
        ],
        'keys',
      ),
    ).toEqual(['Keys of collectors', 'Keys of the manifest']);
  });

  it('gives the name that was typed in full the first place, whatever it is made of', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 12 })),
        fc.string({ minLength: 1, maxLength: 12 }),
        (others, name) => {
          fc.pre(name.trim() !== '' && name === name.trim() && !/\s/.test(name));
          const fold = (text: string) =>
            text
              .normalize('NFKD')
              .replace(/\p{Diacritic}/gu, '')
              .toLowerCase();
          fc.pre(/^\S+$/.test(fold(name)));
          const [first] = ranked([...others.map((text) => ({ text })), { text: name }], name, 1);
          expect(fold(first?.text ?? '')).toBe(fold(name));
        },
      ),
    );
  });

  it('never fits without all of its letters', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, typed) => {
        if (scoreOf({ text }, typed) === null) return;
        const letters = new Set(text.normalize('NFKD').toLowerCase());
        const folded = typed
          .normalize('NFKD')
          .replace(/\p{Diacritic}/gu, '')
          .toLowerCase();
        for (const letter of folded.split(/\s+/).slice(0, 8).join('')) expect(letters).toContain(letter);
      }),
    );
  });
});
