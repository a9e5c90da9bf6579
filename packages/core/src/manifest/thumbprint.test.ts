import { calculateJwkThumbprint } from 'jose';
import { expect, it } from 'vitest';
import vectors from '../../vectors/jwk-thumbprint.json' with { type: 'json' };
import { generateSigningKey } from './sign.ts';
import { jwkThumbprint } from './thumbprint.ts';

it.each(vectors.cases)('names the $name key of the RFC as the RFC does', async ({ jwk, thumbprint }) => {
  expect(await jwkThumbprint(jwk)).toBe(thumbprint);
});

it('gives both halves of a key one name, the one that other libraries give it', async () => {
  const { privateJwk, publicJwk, kid } = await generateSigningKey();
  expect(await jwkThumbprint(privateJwk)).toBe(kid);
  expect(await jwkThumbprint(publicJwk)).toBe(kid);
  expect(await calculateJwkThumbprint({ ...publicJwk })).toBe(kid);
});

it('refuses secrets and keys without their members', async () => {
  await expect(jwkThumbprint({ kty: 'oct', k: 'AA' })).rejects.toThrow('kty must be');
  await expect(jwkThumbprint({ kty: 'OKP', crv: 'Ed25519' })).rejects.toThrow('no x');
  await expect(jwkThumbprint({})).rejects.toThrow(TypeError);
});
