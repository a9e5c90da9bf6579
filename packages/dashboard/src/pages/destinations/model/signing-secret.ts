/** Of the 24 to 64 bytes that Standard Webhooks allows. */
const BYTES = 32;

/** `whsec_` and random bytes in base64, as Standard Webhooks writes a secret. */
export function newSigningSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))))}`;
}
