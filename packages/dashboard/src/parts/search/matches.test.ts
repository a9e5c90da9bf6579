import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matches } from './matches.ts';

const OPTIONS = ['GPTBot', 'ChatGPT-User', 'Côte d’Ivoire', 'OAI-SearchBot'].map((text) => ({
  value: text,
  text,
}));
const found = (text: string) => matches(OPTIONS, text).options.map(({ value }) => value);

it('finds every word in any order, ignoring case and accents', () => {
  expect(found('ivoire cote')).toEqual(['Côte d’Ivoire']);
  expect(found('BOT')).toEqual(['GPTBot', 'OAI-SearchBot']);
  expect(found('nothing')).toEqual([]);
});

it('lists prefix matches first', () => {
  expect(found('gpt')).toEqual(['GPTBot', 'ChatGPT-User']);
  expect(found('c')[0]).toBe('ChatGPT-User');
  expect(
    matches(
      [
        { value: 'a', text: 'OAI-SearchBot' },
        { value: 'b', text: 'Search' },
      ],
      'search',
    ).options[0]?.value,
  ).toBe('b');
});

it('searches the detail too', () => {
  expect(matches([{ value: '1', text: 'Shop', detail: 'shop.example' }], 'example').options).toHaveLength(1);
});

it('returns a hundred, and the number of further matches', () => {
  const many = Array.from({ length: 130 }, (_, index) => ({ value: String(index), text: `bot ${index}` }));
  expect(matches(many, '')).toMatchObject({ more: 30 });
  expect(matches(many, '').options).toHaveLength(100);
});

it('never invents or doubles an option', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.string(), (names, text) => {
      const { options, more } = matches(
        names.map((name) => ({ value: name, text: name })),
        text,
      );
      expect(new Set(options.map(({ value }) => value)).size).toBe(options.length);
      expect(options.length + more).toBeLessThanOrEqual(names.length);
      for (const { value } of options) expect(names).toContain(value);
    }),
  );
});
