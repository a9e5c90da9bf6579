/** The signature that shop platforms put into a header: base64 of the body's HMAC-SHA256, made with a secret that both sides know. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The base64 form of 32 bytes. */
const FORM = /^[A-Za-z0-9+/]{43}=$/;

export const hasSignatureForm = (header: string | undefined): header is string =>
  header !== undefined && FORM.test(header);

/** Whether one of the secrets made the signature. In constant time for each. */
export function isSignedBy(secrets: readonly string[], body: Uint8Array, signature: string): boolean {
  const given = Buffer.from(signature, 'base64');
  return secrets.some((secret) => timingSafeEqual(createHmac('sha256', secret).update(body).digest(), given));
}
