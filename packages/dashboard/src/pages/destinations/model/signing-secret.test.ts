import { expect, it } from 'vitest';
import { newSigningSecret } from './signing-secret.ts';

it('makes up a signing secret as Standard Webhooks writes one, never the same', () => {
  const made = newSigningSecret();
  expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSigningSecret()).not.toBe(made);
});
