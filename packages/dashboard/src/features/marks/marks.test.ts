import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markOf, TINTS } from './marks.ts';

it('marks a company alike in any letter case, and its products in its tint', () => {
  expect(markOf('OpenAI')).toEqual(markOf('openai'));
  expect(markOf('ChatGPT').tint).toBe(markOf('OpenAI').tint);
});

it('tells sources apart whose names begin alike', () => {
  const letters = ['Log push', 'Log files', 'Vercel', 'Vector'].map((name) => markOf(name).letters);
  expect(new Set(letters).size).toBe(letters.length);
});

it('has one or two letters and a tint for any name', () => {
  for (const name of ['', '  ', 'constructor', '__proto__', '🤖', 'Ünï']) fc.pre(markOf(name).letters !== '');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const { letters, tint } = markOf(name);
      expect([...letters].length).toBeGreaterThanOrEqual(1);
      expect([...letters].length).toBeLessThanOrEqual(4);
      expect(tint).toBeGreaterThanOrEqual(1);
      expect(tint).toBeLessThanOrEqual(TINTS);
      expect(markOf(name)).toEqual({ letters, tint });
    }),
  );
});
