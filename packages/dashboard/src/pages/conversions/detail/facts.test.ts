import { expect, it } from 'vitest';
import { consentText, personalFacts } from './facts.ts';

it('lists masked personal data without its groups', () => {
  expect(
    personalFacts({ email: 'c***@m***.example', address: { country: 'DE', city: '' }, loyalty_tier: 2 }),
  ).toEqual([
    ['Email', 'c***@m***.example'],
    ['Country', 'DE'],
    ['Loyalty tier', '2'],
  ]);
});

it('says what was consented to, and what was refused', () => {
  expect(consentText({ analytics: true, advertising: true })).toBe('analytics and advertising');
  expect(consentText({ analytics: true, advertising: false })).toBe('analytics; advertising refused');
  expect(consentText({ analytics: false, advertising: false })).toBe('analytics and advertising refused');
  expect(consentText(null)).toBeNull();
});
