import { expect, it } from 'vitest';
import { companyPaint } from './companies.ts';

it('a company has one colour, as a vendor of bots and as an engine', () => {
  for (const [vendor, engine] of [
    ['OpenAI', 'ChatGPT'],
    ['Anthropic', 'Claude'],
    ['Google', 'Gemini'],
    ['Microsoft', 'Copilot'],
    ['Mistral', 'Le Chat'],
  ] as const)
    expect(companyPaint(vendor, 0)).toBe(companyPaint(engine, 3));
});

it('no two companies share a colour, and one that is not named has another', () => {
  const named = ['OpenAI', 'Anthropic', 'Google', 'Microsoft', 'Meta', 'Perplexity', 'Mistral', 'xAI'];
  expect(new Set(named.map((name) => companyPaint(name, 0))).size).toBe(named.length);
  expect([0, 1, 2, 3].map((index) => companyPaint('Example', index))).toEqual([
    ...['hue-6', 'hue-5', 'hue-7', 'hue-6'],
  ]);
});
