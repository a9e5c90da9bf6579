import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LOGOS, markOf } from './marks.ts';

it('marks a company alike in any letter case', () => {
  expect(markOf('OpenAI')).toEqual(markOf('openai'));
  expect(markOf(' Anthropic ')).toEqual(markOf('anthropic'));
});

it('names only logos that a sheet has, and no sheet has one that is not named', () => {
  const drawn = ['vendors', 'platforms'].flatMap((sheet) => {
    const text = readFileSync(new URL(`./logos/${sheet}.svg`, import.meta.url), 'utf8');
    return [...text.matchAll(/<symbol id="([^"]+)" viewBox="0 0 24 24"><path d="[^"]+"\/>/g)].map(
      ([, id]) => `${sheet}.svg#${id}`,
    );
  });
  const named = Object.values(LOGOS).map((address) => address.replace(/^.*\//, '').replace(/\?[^#]*/, ''));
  expect([...new Set(named)].sort()).toEqual([...new Set(drawn)].sort());
  expect(drawn.length).toBe(new Set(drawn).size);
});

it('has letters where it has no logo, and tells names apart that begin alike', () => {
  const letters = ['Amazon', 'Microsoft', 'OpenAI', 'ChatGPT', 'Common Crawl'].map(
    (name) => markOf(name).letters,
  );
  expect(new Set(letters).size).toBe(letters.length);
  expect(markOf('OpenAI').logo).toBeNull();
});

it('has one or two letters for any name', () => {
  for (const name of ['', '  ', 'constructor', '__proto__', '🤖', 'Ünï']) fc.pre(markOf(name).letters !== '');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const { letters } = markOf(name);
      expect([...letters].length).toBeGreaterThanOrEqual(1);
      expect([...letters].length).toBeLessThanOrEqual(4);
      expect(markOf(name)).toEqual(markOf(name));
    }),
  );
});
