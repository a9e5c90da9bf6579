import { expect, it } from 'vitest';
import { apart, landingOf, originOf } from './Journey.tsx';

const AT = '2026-11-21T12:00:00Z';

it.each([
  ['2026-11-21T12:00:20Z', 'at once'],
  ['2026-11-21T11:59:00Z', 'at once'],
  ['2026-11-21T12:01:00Z', '1 minute later'],
  ['2026-11-21T14:59:00Z', '2 hours later'],
  ['2026-11-24T13:00:00Z', '3 days later'],
  ['never', ''],
])('%s comes %s', (to, words) => {
  expect(apart(AT, to)).toBe(words);
});

it('names the host of a landing page only where it is not the property’s', () => {
  const landing = { host: 'shop.example', path: '/lamps' };
  expect(landingOf(landing, 'shop.example')).toBe('/lamps');
  expect(landingOf(landing, 'other.example')).toBe('shop.example/lamps');
});

it('names an AI engine, else the source, the referrer or the channel', () => {
  const from = (source: string, referrer_host: string, channel = 'referral') =>
    originOf({ source, referrer_host, channel });
  expect(from('gemini.google.com', 'gemini.google.com', 'ai_assistant')).toBe('Gemini');
  expect(from('newsletter', 'mail.example')).toBe('newsletter');
  expect(from('', 'blog.example')).toBe('blog.example');
  expect(from('', '', 'direct')).toBe('Direct');
});
