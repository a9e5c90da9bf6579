import { expect, it } from 'vitest';
import { apart, landingOf } from './Journey.tsx';

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

it('joins campaign, origin and platform', () => {
  expect(landingOf({ host: 'shop.example', path: '/lamps' })).toBe('shop.example/lamps');
});
