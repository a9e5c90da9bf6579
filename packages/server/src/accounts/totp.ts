/** Time-based one-time passwords (RFC 6238): six digits, SHA-1, 30 seconds, which is what every authenticator app takes. No state. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** A phone's clock may be one step off in either direction. */
const DRIFT_STEPS = 1;
/** 160 bits, as RFC 4226 asks for. */
const SECRET_BYTES = 20;
/** A label for people; what is longer would not fit into a square code. */
const MAX_ACCOUNT = 48;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** @returns a new secret in base 32, without padding */
export function generateSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The code of a time step. @param secret base 32 */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** @returns the time step that the code is of, null when it is of none near `at` (epoch ms). Taking each step once is the caller's work. */
export function matchingStep(secret: string, code: string, at: number): number | null {
  const given = Buffer.from(code);
  if (given.length !== DIGITS) return null;
  const now = stepAt(at);
  let found: number | null = null;
  // All are compared, so that the time says nothing about which one it was.
  for (let step = now - DRIFT_STEPS; step <= now + DRIFT_STEPS; step += 1)
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), given)) found = step;
  return found;
}

export function stepAt(at: number): number {
  return Math.floor(at / STEP_MS);
}

/** What an authenticator app reads out of the square code. */
export function otpauthUri(secret: string, account: string): string {
  return `otpauth://totp/Ghostlight:${encodeURIComponent(account.slice(0, MAX_ACCOUNT))}?secret=${secret}&issuer=Ghostlight`;
}

export function toBase32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET.charAt((value >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + ALPHABET.charAt((value << (5 - bits)) & 31);
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text) {
    value = ((value << 5) | ALPHABET.indexOf(letter)) & 0xffff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}
