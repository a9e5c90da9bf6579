/** The key file of a Google service account, and the assertion that it signs: RFC 7523. */
import { createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import { jsonOf, textOf } from '../answers.ts';

export interface ServiceAccount {
  readonly email: string;
  readonly keyId: string | null;
  readonly key: KeyObject;
}

/** @returns null for what is no key file with an RSA key in it */
export function readServiceAccount(text: string): ServiceAccount | null {
  const file = jsonOf({ body: text });
  const email = textOf(file?.['client_email']);
  const pem = textOf(file?.['private_key']);
  if (email === null || pem === null || !/^[\w.@-]{3,200}$/.test(email)) return null;
  try {
    const key = createPrivateKey({ key: pem, format: 'pem' });
    return key.asymmetricKeyType === 'rsa' ? { email, keyId: textOf(file?.['private_key_id']), key } : null;
  } catch {
    return null;
  }
}

const LIFETIME_S = 3600;

/** @param now epoch ms @returns a JWT (RS256) that is exchanged for an access token */
export function assertionOf(account: ServiceAccount, audience: string, scope: string, now: number): string {
  const issuedAt = Math.floor(now / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(account.keyId === null ? {} : { kid: account.keyId }) };
  const claims = { iss: account.email, scope, aud: audience, iat: issuedAt, exp: issuedAt + LIFETIME_S };
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(account.key, 'base64url')}`;
}
